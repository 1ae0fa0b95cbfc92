"""All that is kept about somebody, in one archive, and no secret in it."""

import io
import json
import zipfile
from typing import Any

import pytest
from tests.account.letterbox import Letterbox
from tests.account.mailing import ask, code_of, entered_by, kept_account, link_for, new_address
from tests.account.service import Newcomer, Service

from account.export import archive
from account.export_texts import README
from contracts.account import Language

FILES = ["profile", "sessions", "tokens", "programs", "guests", "mutes", "links", "reports"]


async def export(service: Service, account: str) -> dict[str, Any]:
    """The archive's files by name; JSON as what it says."""
    answer = await service.http.get(f"/accounts/{account}/export")
    assert (answer.status_code, answer.headers["content-type"]) == (200, "application/zip")
    with zipfile.ZipFile(io.BytesIO(answer.content)) as files:
        assert files.testzip() is None
        return {
            name: json.loads(files.read(name)) if name.endswith(".json") else files.read(name).decode()
            for name in files.namelist()
        }


async def test_a_new_guest_has_an_export(service: Service) -> None:
    guest = await service.guest()
    files = await export(service, guest.account)
    assert sorted(files) == sorted(["README.txt", *(f"{name}.json" for name in FILES)])
    assert files["profile.json"]["account"] == guest.account
    assert files["profile.json"]["mail"] is None
    assert [session["session"] for session in files["sessions.json"]] == [guest.session]
    assert guest.account in files["README.txt"]


async def test_an_export_has_everything_and_no_secret(service: Service, letterbox: Letterbox) -> None:
    address = new_address()
    kept, guest = await kept_account(service, letterbox, address), await service.guest()
    await service.http.put(f"/accounts/{kept.account}/name", json={"name": "Ada Ł"})
    await service.http.put(f"/accounts/{kept.account}/mutes/g1")
    token = await service.http.post(
        f"/accounts/{kept.account}/tokens", json={"id": "1", "label": "mine", "scopes": ["play"]}
    )
    program = await service.http.post(
        f"/accounts/{kept.account}/programs", json={"id": "1", "label": "Counting", "region": "eu"}
    )
    body = {"id": "1", "place": "page", "text": "It is red.", "page": "/about"}
    await service.http.post(f"/accounts/{guest.account}/reports", json=body)
    code = await link_for(service, letterbox, address, guest.account)
    entered = await entered_by(service, code)
    await ask(service, new_address(), kept.account)

    files = await export(service, kept.account)
    assert (files["profile.json"]["name"], files["profile.json"]["mail"]) == ("Ada Ł", address)
    assert [guest["account"] for guest in files["guests.json"]] == [guest.account]
    assert files["mutes.json"] == [{"account": "g1"}]
    assert [(token["label"], token["scopes"]) for token in files["tokens.json"]] == [("mine", ["play"])]
    assert [program["name"] for program in files["programs.json"]] == ["Counting"]
    assert [(report["text"], report["page"]) for report in files["reports.json"]] == [("It is red.", "/about")]
    assert len(files["links.json"]) == 2
    assert len(files["sessions.json"]) == 3

    hashes = [row[0] for row in await service.rows("SELECT secret_hash FROM sessions")]
    hashes += [row[0] for row in await service.rows("SELECT hash FROM link_codes")]
    secrets = [kept.secret, guest.secret, entered.secret, entered.signed.token, code]
    secrets += [token.json()["secret"], program.json()["token"]["secret"]]
    whole = str(files)
    assert [secret for secret in hashes + secrets if secret in whole] == []


async def test_whoever_is_not_there_has_no_export(service: Service) -> None:
    assert code_of(await service.http.get(f"/accounts/{Newcomer().account}/export")) == (404, "unknown-account")


@pytest.mark.parametrize("language", ["en", "de", "pl"])
def test_every_file_is_explained_in_every_language(language: Language) -> None:
    assert all(f"{name}.json" in README[language] for name in (*FILES, "matches"))
    everything: dict[str, Any] = {name: [] for name in FILES} | {"profile": {"account": "g1", "language": language}}
    with zipfile.ZipFile(io.BytesIO(archive(everything))) as files:
        assert files.read("README.txt").decode() == README[language].format(account="g1")
