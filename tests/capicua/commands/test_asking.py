"""What cannot be taken back is asked for once more, on a terminal."""

import pytest
from tests.capicua.commands.on_a_terminal import Terminal
from tests.capicua.commands.signed_in import SECRET
from tests.capicua.scripted_product import ScriptedProduct

from capicua.saved_guest import saved_token
from contracts.account_api import Deleted

pytestmark = pytest.mark.usefixtures("ada")


async def test_an_account_is_deleted_by_whoever_types_its_id_and_nobody_else(product: ScriptedProduct) -> None:
    product.answers["DELETE /v1/me"] = Deleted(pseudonym="Somebody 7")
    for typed, status, told in (
        ("yes", 1, "Nothing is deleted."),
        ("gada", 0, "In old matches you are Somebody 7 now."),
    ):
        async with Terminal(f"delete --url {product.url}") as terminal:
            assert "This deletes Ada [2J (gada) for ever." in await terminal.shows("Type the account's id to do it")
            terminal.type(typed)
            await terminal.shows(told)
            assert await terminal.ends() == status
    assert [asked.body for asked in product.asked if asked.line == "DELETE /v1/me"] == [{"confirm": "gada"}]
    assert saved_token(product.url) is None


async def test_signing_out_everywhere_says_that_nothing_leads_back(product: ScriptedProduct) -> None:
    for typed, status in (("n", 1), ("y", 0)):
        async with Terminal(f"sessions --end-all --url {product.url}") as terminal:
            page = await terminal.shows("[y/N]")
            assert "Nothing leads back into this account." in " ".join(page.split())
            assert saved_token(product.url) == SECRET
            terminal.type(typed)
            assert await terminal.ends() == status
    assert [asked.line for asked in product.asked].count("DELETE /v1/me/sessions") == 1
    assert saved_token(product.url) is None
