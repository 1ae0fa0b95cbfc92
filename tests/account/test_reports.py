"""Problem reports: made once, answered once, seen by whom they concern."""

import asyncio
import itertools
from typing import Any

import httpx
import pytest
from tests.account.mailing import code_of
from tests.account.service import Newcomer, Service

HOUR_MS = 60 * 60 * 1000


async def report(service: Service, account: str, number: int | str = 1, **others: Any) -> httpx.Response:
    body = {"id": str(number), "place": "table", "text": f"Report {number}", "table_id": "t1", "version": 7}
    return await service.http.post(f"/accounts/{account}/reports", json=body | others)


async def made(service: Service, account: str, number: int | str = 1) -> str:
    answer = await report(service, account, number)
    assert answer.status_code == 200, answer.text
    name: str = answer.json()["report"]
    return name


async def own(service: Service, account: str, **query: Any) -> httpx.Response:
    return await service.http.get(f"/accounts/{account}/reports", params=query)


async def move(service: Service, name: str, state: str, by: str = "ann", answer: str | None = None) -> httpx.Response:
    return await service.http.post(f"/reports/{name}/move", json={"state": state, "by": by, "answer": answer})


async def test_a_report_is_made_and_seen_by_its_reporter(service: Service) -> None:
    guest, other = await service.guest(), await service.guest()
    line = (await report(service, guest.account)).json()
    assert (line["place"], line["text"], line["state"], line["table_id"], line["version"]) == (
        "table", "Report 1", "open", "t1", 7,
    )  # fmt: skip
    assert (await own(service, guest.account)).json() == {"reports": [line], "next": None}
    assert (await own(service, other.account)).json() == {"reports": [], "next": None}


async def test_a_repeated_report_is_made_once(service: Service) -> None:
    guest, other = await service.guest(), await service.guest()
    answers = await asyncio.gather(*(report(service, guest.account, "same") for _ in range(5)))
    assert len({answer.text for answer in answers}) == 1
    assert (await report(service, other.account, "same")).json()["report"] != answers[0].json()["report"]
    assert len((await own(service, guest.account)).json()["reports"]) == 1


async def test_there_are_twenty_reports_an_hour(service: Service) -> None:
    guest = await service.guest()
    answers = await asyncio.gather(*(report(service, guest.account, number) for number in range(25)))
    assert sorted(answer.status_code for answer in answers) == [200] * 20 + [429] * 5
    refused = next(answer for answer in answers if answer.status_code == 429)
    assert refused.json()["code"] == "too-many-reports"
    assert 0 < int(refused.headers["Retry-After"]) <= 3600
    known = next(number for number, answer in enumerate(answers) if answer.status_code == 200)
    assert (await report(service, guest.account, known)).status_code == 200
    await service.rows("UPDATE reports SET made_at = made_at - %s RETURNING report", HOUR_MS)
    assert (await report(service, guest.account, 99)).status_code == 200


async def test_ones_own_reports_come_in_pages_the_newest_first(service: Service) -> None:
    guest = await service.guest()
    names = [await made(service, guest.account, number) for number in range(7)]
    seen, cursor = [], None
    for page_number in itertools.count():
        page = (await own(service, guest.account, limit=3, **({"cursor": cursor} if cursor else {}))).json()
        seen += [line["report"] for line in page["reports"]]
        if page_number == 0:
            await made(service, guest.account, "meanwhile")
        cursor = page["next"]
        if cursor is None:
            break
    assert seen == names[::-1]


@pytest.mark.parametrize("cursor", ["x", "!", "MTIz", "LTEuYQ", "OTk5OTk5OTk5OTk5OTk5OTk5OTkuYQ", "w7wuYQ"])
async def test_a_cursor_that_is_none_of_ours_is_refused(service: Service, cursor: str) -> None:
    assert code_of(await own(service, "g1", cursor=cursor)) == (422, "bad-cursor")


async def test_an_answer_reaches_the_reporter(service: Service) -> None:
    guest = await service.guest()
    name = await made(service, guest.account)
    assert (await move(service, name, "taken")).json()["taken_by"] == "ann"
    assert (await move(service, name, "answered", answer="It is mended. Thank you!")).status_code == 200
    (line,) = (await own(service, guest.account)).json()["reports"]
    assert (line["state"], line["answer"]) == ("answered", "It is mended. Thank you!")
    assert line["answered_at"] >= line["made_at"]
    assert "taken_by" not in line
    assert (await move(service, name, "closed")).json()["state"] == "closed"
    (line,) = (await own(service, guest.account)).json()["reports"]
    assert (line["state"], line["answer"]) == ("closed", "It is mended. Thank you!")


async def test_of_two_operators_at_once_one_wins(service: Service) -> None:
    guest = await service.guest()
    name = await made(service, guest.account)
    answers = await asyncio.gather(*(move(service, name, "taken", by) for by in ("ann", "ben", "cem")))
    assert sorted(answer.status_code for answer in answers) == [200, 409, 409]
    winner = next(answer.json()["taken_by"] for answer in answers if answer.status_code == 200)
    loser = next(answer for answer in answers if answer.status_code == 409).json()
    assert (loser["code"], winner in loser["got"]) == ("report-moved", True)
    another = next(by for by in ("ann", "ben") if by != winner)
    assert loser["expected"] == "a report that is open"
    refused = await move(service, name, "answered", another, "Mine!")
    assert (refused.status_code, refused.json()["expected"]) == (409, "a report that is open or taken by you")
    assert (await move(service, name, "taken", winner)).status_code == 200


async def test_a_move_that_comes_again_has_one_effect(service: Service) -> None:
    name = await made(service, (await service.guest()).account)
    first = (await move(service, name, "answered", answer="Yes.")).json()
    assert (await move(service, name, "answered", answer="Yes.")).json() == first
    assert code_of(await move(service, name, "answered", answer="No.")) == (409, "report-moved")
    assert code_of(await move(service, name, "answered", "ben", "Yes.")) == (409, "report-moved")


async def test_a_report_is_given_back_and_taken_by_another(service: Service) -> None:
    name = await made(service, (await service.guest()).account)
    await move(service, name, "taken", "ann")
    assert (await move(service, name, "open", "ben")).json()["taken_by"] is None
    assert (await move(service, name, "taken", "ben")).json()["taken_by"] == "ben"


async def test_a_closed_report_stays_closed(service: Service) -> None:
    name = await made(service, (await service.guest()).account)
    assert (await move(service, name, "closed")).json()["taken_by"] == "ann"
    for state, answer in (("open", None), ("taken", None), ("answered", "Late.")):
        assert code_of(await move(service, name, state, answer=answer)) == (409, "report-moved")


async def test_an_answer_belongs_to_answering(service: Service) -> None:
    name = await made(service, (await service.guest()).account)
    assert code_of(await move(service, name, "answered")) == (422, "bad-request")
    assert code_of(await move(service, name, "taken", answer="Hm.")) == (422, "bad-request")
    assert code_of(await move(service, name, "mislaid")) == (422, "bad-request")


async def test_a_report_that_is_not_there_is_not_moved(service: Service) -> None:
    assert code_of(await move(service, "nothing", "taken")) == (404, "unknown-report")


async def test_operators_see_everybodys_the_oldest_first(service: Service) -> None:
    await service.rows("DELETE FROM reports RETURNING report")
    people = [await service.guest() for _ in range(3)]
    names = [await made(service, guest.account) for guest in people]
    await move(service, names[1], "taken")
    first = (await service.http.get("/reports", params={"state": "open", "limit": 1})).json()
    then = (await service.http.get("/reports", params={"state": "open", "cursor": first["next"]})).json()
    found = [(line["report"], line["account"]) for line in first["reports"] + then["reports"]]
    assert found == [(names[0], people[0].account), (names[2], people[2].account)]
    everything = (await service.http.get("/reports")).json()
    assert [line["report"] for line in everything["reports"]] == names


async def test_whoever_is_not_there_reports_nothing(service: Service) -> None:
    assert code_of(await report(service, Newcomer().account)) == (404, "unknown-account")


@pytest.mark.parametrize(
    "fault",
    [{"text": ""}, {"text": "x" * 2001}, {"text": "a\x00b"}, {"page": "\x00"}, {"version": 2**63}, {"version": -1}],
)
async def test_what_cannot_be_kept_is_refused(service: Service, fault: dict[str, Any]) -> None:
    guest = await service.guest()
    assert code_of(await report(service, guest.account, **fault)) == (422, "bad-request")
    assert (await own(service, guest.account)).json()["reports"] == []


async def test_half_a_character_is_refused(service: Service) -> None:
    guest = await service.guest()
    body, headers = b'{"id": "1", "place": "page", "text": "\\ud800"}', {"content-type": "application/json"}
    answer = await service.http.post(f"/accounts/{guest.account}/reports", content=body, headers=headers)
    assert code_of(answer) == (422, "bad-request")
