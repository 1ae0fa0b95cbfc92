"""Personal tokens and declared programs."""

from typing import Any

from tests.account.service import Newcomer, Service
from tests.account.test_sessions import claims

from account.ids import hash_of
from contracts.account_api import PERSONAL_TOKENS_MAX, PROGRAMS_MAX


async def make(service: Service, of: Newcomer, number: str, **others: Any) -> dict[str, Any]:
    wanted = {"id": number, "label": "my bot", "scopes": ["play"]} | others
    made: dict[str, Any] = (await service.http.post(f"/accounts/{of.account}/tokens", json=wanted)).json()
    return made


async def test_a_tokens_secret_is_said_once_and_exchanged_like_a_sessions(service: Service) -> None:
    newcomer = await service.guest()
    made = await make(service, newcomer, "1", scopes=["rooms", "play", "play"])
    assert made["scopes"] == ["play", "rooms"]
    answer = (await service.renew(made["secret"], label="something else")).json()
    assert (answer["account"], answer["session"]) == (newcomer.account, made["token"])
    assert answer["scopes"] == claims(answer["token"])["scopes"] == ["play", "rooms"]
    listed = await service.http.get(f"/accounts/{newcomer.account}/tokens")
    (token,) = listed.json()["tokens"]
    assert (token["label"], token["secret"]) == ("my bot", None)
    assert token["used_at"] % 60_000 == 0
    assert hash_of(made["secret"]) not in listed.text
    sessions = (await service.http.get(f"/accounts/{newcomer.account}/sessions")).json()["sessions"]
    assert [session["session"] for session in sessions] == [newcomer.session]


async def test_the_same_token_is_made_once(service: Service) -> None:
    newcomer = await service.guest()
    first, again = await make(service, newcomer, "1"), await make(service, newcomer, "1", label="another")
    assert again == first | {"secret": None}


async def test_an_ended_token_is_told_of_and_a_session_is_none(service: Service) -> None:
    newcomer = await service.guest()
    made = await make(service, newcomer, "1")
    path = f"/accounts/{newcomer.account}/tokens"
    assert (await service.http.delete(f"{path}/{newcomer.session}")).json()["code"] == "unknown-token"
    sessions = f"/accounts/{newcomer.account}/sessions/{made['token']}"
    assert (await service.http.delete(sessions)).json()["code"] == "unknown-session"
    assert (await service.http.delete(f"{path}/{made['token']}")).status_code == 204
    assert (await service.renew(made["secret"])).status_code == 401
    told = (await service.told_of(newcomer.account))[-1]
    assert told is not None
    assert [ended.session for ended in told.ended] == [made["token"]]


async def test_tokens_outlive_the_end_of_all_sessions(service: Service) -> None:
    newcomer = await service.guest()
    made = await make(service, newcomer, "1")
    await service.http.delete(f"/accounts/{newcomer.account}/sessions")
    assert (await service.renew(made["secret"])).status_code == 200


async def test_so_many_tokens_and_no_more(service: Service) -> None:
    newcomer = await service.guest()
    for number in range(PERSONAL_TOKENS_MAX):
        assert "secret" in await make(service, newcomer, str(number))
    assert (await make(service, newcomer, "one-more"))["code"] == "too-many-tokens"
    assert (await make(service, newcomer, "3"))["secret"] is None
    assert (await make(service, newcomer, "4", scopes=[]))["code"] == "bad-request"
    assert (await make(service, newcomer, "5", scopes=["everything"]))["code"] == "bad-request"


async def declare(service: Service, of: str, number: str, label: str = "Ada's bot") -> dict[str, Any]:
    wanted = {"id": number, "label": label, "region": "eu"}
    made: dict[str, Any] = (await service.http.post(f"/accounts/{of}/programs", json=wanted)).json()
    return made


async def test_a_program_is_an_account_of_its_own_that_says_what_it_is(service: Service) -> None:
    owner = await service.guest()
    made = await declare(service, owner.account, "1")
    read = claims((await service.renew(made["token"]["secret"])).json()["token"])
    assert (read["sub"], read["bot"], read["house"]) == (made["account"], True, False)
    (told,) = await service.told_of(made["account"])
    assert told is not None
    assert (told.kind, told.owner, told.name, told.bot) == ("program", owner.account, "Ada's bot", True)
    assert (await service.http.get(f"/accounts/{owner.account}")).json()["programs"] == [made["account"]]
    again = await declare(service, owner.account, "1")
    assert (again["account"], again["token"]["token"]) == (made["account"], made["token"]["token"])
    assert again["token"]["secret"] is None


async def test_a_programs_token_is_listed_for_its_owner_who_ends_it(service: Service) -> None:
    owner, stranger = await service.guest(), await service.guest()
    made = await declare(service, owner.account, "1")
    number = made["token"]["token"]
    listed = (await service.http.get(f"/accounts/{owner.account}/tokens")).json()["tokens"]
    assert [(token["token"], token["label"], token["secret"]) for token in listed] == [(number, "Ada's bot", None)]
    refused = await service.http.delete(f"/accounts/{stranger.account}/tokens/{number}")
    assert refused.json()["code"] == "unknown-token"
    assert (await service.renew(made["token"]["secret"])).status_code == 200
    assert (await service.http.delete(f"/accounts/{owner.account}/tokens/{number}")).status_code == 204
    assert (await service.renew(made["token"]["secret"])).status_code == 401
    told = (await service.told_of(made["account"]))[-1]
    assert told is not None
    assert [ended.session for ended in told.ended] == [number]


async def test_a_program_gets_a_new_token_instead_of_those_that_it_had(service: Service) -> None:
    owner, stranger = await service.guest(), await service.guest()
    made = await declare(service, owner.account, "1")
    path = f"programs/{made['account']}/token"
    refused = await service.http.post(f"/accounts/{stranger.account}/{path}", json={"id": "2"})
    assert (refused.status_code, refused.json()["code"]) == (404, "unknown-program")
    new = (await service.http.post(f"/accounts/{owner.account}/{path}", json={"id": "2"})).json()
    assert (new["label"], new["scopes"]) == ("Ada's bot", made["token"]["scopes"])
    assert (await service.renew(made["token"]["secret"])).status_code == 401
    assert (await service.renew(new["secret"])).json()["account"] == made["account"]
    told = (await service.told_of(made["account"]))[-1]
    assert told is not None
    assert [ended.session for ended in told.ended] == [made["token"]["token"]]
    again = (await service.http.post(f"/accounts/{owner.account}/{path}", json={"id": "2"})).json()
    assert (again["token"], again["secret"]) == (new["token"], None)
    assert (await service.renew(new["secret"])).status_code == 200


async def test_a_program_whose_only_token_was_ended_gets_one_again(service: Service) -> None:
    owner = await service.guest()
    made = await declare(service, owner.account, "1")
    await service.http.delete(f"/accounts/{owner.account}/tokens/{made['token']['token']}")
    path = f"/accounts/{owner.account}/programs/{made['account']}/token"
    new = (await service.http.post(path, json={"id": "2"})).json()
    assert (await service.renew(new["secret"])).status_code == 200


async def test_an_ended_program_is_deleted_and_makes_room_for_another(service: Service) -> None:
    owner, stranger = await service.guest(), await service.guest()
    made = [await declare(service, owner.account, str(number)) for number in range(PROGRAMS_MAX)]
    assert (await declare(service, owner.account, "one-more"))["code"] == "too-many-programs"
    ended = made[3]["account"]
    refused = await service.http.delete(f"/accounts/{stranger.account}/programs/{ended}")
    assert (refused.status_code, refused.json()["code"]) == (404, "unknown-program")
    path = f"/accounts/{owner.account}/programs/{ended}"
    answers = [await service.http.delete(path), await service.http.delete(path)]
    assert [answer.status_code for answer in answers] == [204, 404]
    assert (await service.renew(made[3]["token"]["secret"])).status_code == 401
    assert (await service.told_of(ended))[-1] is None
    programs = (await service.http.get(f"/accounts/{owner.account}")).json()["programs"]
    assert len(programs) == PROGRAMS_MAX - 1
    assert ended not in programs
    assert "token" in await declare(service, owner.account, "one-more")
    assert (await service.renew(owner.secret)).status_code == 200


async def test_programs_have_no_programs_and_no_tokens_of_their_own(service: Service) -> None:
    owner = await service.guest()
    program = (await declare(service, owner.account, "1"))["account"]
    assert (await declare(service, program, "2"))["code"] == "no-person"
    assert (await make(service, Newcomer(account=program), "2"))["code"] == "no-person"


async def test_a_program_may_be_called_a_bot_and_not_the_house(service: Service) -> None:
    owner = await service.guest()
    assert (await declare(service, owner.account, "1", "House 7"))["code"] == "reserved-name"
    assert "token" in await declare(service, owner.account, "1", "bot of Ada, with a label that is longer")
    for number in range(2, PROGRAMS_MAX + 1):
        await declare(service, owner.account, str(number))
    assert (await declare(service, owner.account, "one-more"))["code"] == "too-many-programs"
