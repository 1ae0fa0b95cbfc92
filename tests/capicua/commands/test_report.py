"""`capicua report`."""

import json

import pytest
from tests.capicua.commands.signed_in import NOON, Said
from tests.capicua.scripted_product import ScriptedProduct

from capicua.commands.report import _list, _report
from contracts.account_api import ReportLine, Reports

pytestmark = pytest.mark.usefixtures("ada")


async def test_a_report_says_what_it_is_about(product: ScriptedProduct, said: Said) -> None:
    line = ReportLine(report="r1", place="table", text="odd", state="open", made_at=NOON)
    product.answers["POST /v1/reports"] = line
    await _report(product.url, "odd", "table", {"table_id": "01jtable", "version": 7}, as_json=False)
    body = (await product.request("POST /v1/reports")).body
    assert (body["place"], body["text"], body["table_id"], body["version"]) == ("table", "odd", "01jtable", 7)
    assert said.out.startswith("Thank you.")


async def test_reports_are_listed_with_their_answers(product: ScriptedProduct, said: Said) -> None:
    asked = ReportLine(report="r1", place="table", text="odd " * 30, state="open", made_at=NOON, table_id="01jtable")
    answered = ReportLine(
        report="r2",
        place="page",
        text="late",
        state="answered",
        made_at=NOON,
        answer="Mended.\x1b[2J",
        answered_at=NOON,
    )
    product.answers["GET /v1/reports"] = lambda wanted: (
        Reports(reports=(answered,)) if "cursor=two" in wanted.line else Reports(reports=(asked,), next="two")
    )
    await _list(product.url, 20, as_json=False)
    out = said.out
    assert max(map(len, out.splitlines())) <= 80
    assert "  table 01jtable: nobody has looked at it yet" in out
    assert "  Mended. [2J" in out.splitlines()
    await _list(product.url, 1, as_json=True)
    assert [json.loads(line)["report"] for line in said.out.splitlines()] == ["r1"]
    product.answers["GET /v1/reports"] = Reports(reports=())
    await _list(product.url, 20, as_json=False)
    assert said.out == "You have reported nothing.\n"
