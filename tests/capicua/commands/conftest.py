"""Somebody who is signed in at a scripted product."""

from pathlib import Path

import pytest
from tests.capicua.commands.signed_in import HERE, NOON, PROFILE, SECRET, THERE, Said
from tests.capicua.scripted_product import ScriptedProduct

from capicua.saved_guest import save_token
from contracts.account_api import Access, SessionLine, Sessions
from contracts.api import Me


@pytest.fixture
def ada(product: ScriptedProduct, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A guest, with a session here and one elsewhere."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.delenv("CAPICUA_TOKEN", raising=False)
    monkeypatch.chdir(tmp_path)
    save_token(product.url, SECRET)
    product.answers["POST /v1/session/renew"] = Access(account="gada", session=HERE, token="a.good.token", seconds=600)
    product.answers["GET /v1/me"] = Me(account="gada", bot=False, tables=(), server_time=0)
    product.answers["GET /v1/me/profile"] = product.answers["PATCH /v1/me/profile"] = PROFILE
    first = SessionLine(session=HERE, made_at=NOON, used_at=NOON, label="capicua\x1b[2J", here=True)
    second = SessionLine(session=THERE, made_at=NOON, used_at=NOON, label="a browser")
    product.answers["GET /v1/me/sessions"] = Sessions(sessions=(first, second))


@pytest.fixture
def said(capsys: pytest.CaptureFixture[str]) -> Said:
    return Said(capsys)
