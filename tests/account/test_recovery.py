"""Guest, link, mail: an account is kept, is lost, and is come back to with all that was a guest's meanwhile."""

import asyncio

from tests.account.letterbox import Letterbox
from tests.account.mailing import (
    ask,
    code_of,
    entered_by,
    kept_account,
    link_for,
    new_address,
    until_posted,
    use,
)
from tests.account.service import Service

from account.mutes import MUTES_MAX
from contracts.account import AccountState
from contracts.account_api import PROGRAMS_MAX


async def newest(service: Service, account: str) -> AccountState:
    state = (await service.told_of(account))[-1]
    assert state is not None
    return state


async def test_a_guest_is_kept_by_an_address(service: Service, letterbox: Letterbox) -> None:
    guest, address = await service.guest(), new_address()
    code = await link_for(service, letterbox, address, guest.account)
    entered = await entered_by(service, code)
    assert (entered.state.account, entered.state.kind, entered.moved) == (guest.account, "kept", None)
    assert (await service.renew(entered.secret)).json()["account"] == guest.account
    assert (await service.renew(guest.secret)).status_code == 200
    assert (await newest(service, guest.account)).kind == "kept"
    profile = (await service.http.get(f"/accounts/{guest.account}")).json()
    assert profile["mail"] == f"{address[0]}…@example.org"


async def test_a_link_that_a_thief_has_asked_for_ends_with_the_session_that_was_stolen(
    service: Service, letterbox: Letterbox
) -> None:
    address = new_address()
    kept = await kept_account(service, letterbox, address)
    for ended in (f"sessions/{kept.session}", "sessions"):
        code = await link_for(service, letterbox, new_address(), kept.account)
        await ask(service, new_address(), kept.account)
        recovering = await link_for(service, letterbox, address)
        assert (await service.http.delete(f"/accounts/{kept.account}/{ended}")).status_code == 204
        assert await service.rows("SELECT FROM mails WHERE account = %s", kept.account) == []
        assert code_of(await use(service, code)) == (410, "link-used")
        assert (await entered_by(service, recovering)).state.account == kept.account
        await service.rows("DELETE FROM links RETURNING link")


async def test_whoever_has_lost_everything_comes_back(service: Service, letterbox: Letterbox) -> None:
    address = new_address()
    kept = await kept_account(service, letterbox, address)
    entered = await entered_by(service, await link_for(service, letterbox, address.upper()))
    assert (entered.state.account, entered.moved) == (kept.account, None)
    assert (await service.renew(entered.secret)).json()["account"] == kept.account


async def test_the_guest_who_asks_moves_to_the_account_that_has_the_address(
    service: Service, letterbox: Letterbox
) -> None:
    address = new_address()
    kept, guest = await kept_account(service, letterbox, address), await service.guest()
    code = await link_for(service, letterbox, address, guest.account)
    assert letterbox.mails_to(address)[-1].subject == "Your way back to Capicua"
    entered = await entered_by(service, code)
    assert (entered.state.account, entered.moved) == (kept.account, guest.account)
    assert entered.state.merged == (guest.account,)
    assert (await newest(service, kept.account)).merged == (guest.account,)
    gone = await newest(service, guest.account)
    assert (gone.merged_into, gone.name, gone.all_ended_at is not None) == (kept.account, None, True)
    assert code_of(await service.renew(guest.secret)) == (401, "bad-secret")


async def test_nobody_says_who_moves_by_using_a_link(service: Service, letterbox: Letterbox) -> None:
    address = new_address()
    kept, guest = await kept_account(service, letterbox, address), await service.guest()
    code = await link_for(service, letterbox, address)
    said = await service.http.post("/mail/links/use", json={"code": code, "account": guest.account})
    assert code_of(said) == (422, "bad-request")
    entered = await entered_by(service, code)
    assert (entered.state.account, entered.moved) == (kept.account, None)
    assert (await newest(service, guest.account)).merged_into is None
    assert (await service.renew(guest.secret)).status_code == 200


async def test_what_was_the_guests_is_the_kept_accounts(service: Service, letterbox: Letterbox) -> None:
    address = new_address()
    kept, guest = await kept_account(service, letterbox, address), await service.guest()
    await service.http.put(f"/accounts/{guest.account}/name", json={"name": "Brief Visitor"})
    await service.http.put(f"/accounts/{kept.account}/name", json={"name": "Ada"})
    for other in ("g1", kept.account):
        await service.http.put(f"/accounts/{guest.account}/mutes/{other}")
    program = await service.http.post(
        f"/accounts/{guest.account}/programs", json={"id": "1", "label": "Counting", "region": "eu"}
    )
    token = await service.http.post(
        f"/accounts/{guest.account}/tokens", json={"id": "1", "label": "mine", "scopes": ["play"]}
    )
    report = await service.http.post(
        f"/accounts/{guest.account}/reports", json={"id": "1", "place": "page", "text": "It is red."}
    )
    await entered_by(service, await link_for(service, letterbox, address, guest.account))
    assert (await newest(service, kept.account)).name == "Ada"
    assert (await service.http.get(f"/accounts/{kept.account}/mutes")).json()["accounts"] == ["g1"]
    assert (await newest(service, program.json()["account"])).owner == kept.account
    assert (await service.renew(program.json()["token"]["secret"])).status_code == 200
    assert (await service.renew(token.json()["secret"])).status_code == 401
    reports = (await service.http.get(f"/accounts/{kept.account}/reports")).json()["reports"]
    assert [each["report"] for each in reports] == [report.json()["report"]]


async def test_a_move_brings_no_more_mutes_than_somebody_may_have(service: Service, letterbox: Letterbox) -> None:
    address = new_address()
    kept, guest = await kept_account(service, letterbox, address), await service.guest()
    for account, first in ((kept.account, 0), (guest.account, MUTES_MAX - 10)):
        others = [f"g{number:04}" for number in range(first, first + MUTES_MAX - 5)]
        await service.rows("INSERT INTO mutes SELECT %s, unnest(%s::text[]) RETURNING 1", account, others)
    await entered_by(service, await link_for(service, letterbox, address, guest.account))
    muted = (await service.http.get(f"/accounts/{kept.account}/mutes")).json()["accounts"]
    assert muted == [f"g{number:04}" for number in range(MUTES_MAX)]


async def test_a_move_waits_until_there_is_room_for_the_guests_programs(service: Service, letterbox: Letterbox) -> None:
    address = new_address()
    kept, guest = await kept_account(service, letterbox, address), await service.guest()
    for owner, count in ((kept.account, PROGRAMS_MAX), (guest.account, 1)):
        for number in range(count):
            wanted = {"id": str(number), "label": "Counting", "region": "eu"}
            assert (await service.http.post(f"/accounts/{owner}/programs", json=wanted)).status_code == 201
    code = await link_for(service, letterbox, address, guest.account)
    assert code_of(await use(service, code)) == (409, "too-many-programs")
    assert (await service.renew(guest.secret)).status_code == 200
    first, *others = (await service.http.get(f"/accounts/{kept.account}")).json()["programs"]
    await service.http.delete(f"/accounts/{kept.account}/programs/{first}")
    assert (await entered_by(service, code)).moved == guest.account
    programs = (await service.http.get(f"/accounts/{kept.account}")).json()["programs"]
    assert len(programs) == PROGRAMS_MAX
    assert set(others) < set(programs)


async def test_a_kept_account_never_moves(service: Service, letterbox: Letterbox) -> None:
    address = new_address()
    kept = await kept_account(service, letterbox, address)
    other = await kept_account(service, letterbox, new_address())
    entered = await entered_by(service, await link_for(service, letterbox, address, other.account))
    assert (entered.state.account, entered.moved) == (kept.account, None)
    assert (await service.renew(other.secret)).status_code == 200


async def test_a_kept_account_gets_another_address_and_its_old_one_is_told(
    service: Service, letterbox: Letterbox
) -> None:
    before, after = new_address(), new_address()
    kept = await kept_account(service, letterbox, before)
    await entered_by(service, await link_for(service, letterbox, after, kept.account))
    told = await letterbox.mail_to(before, 2)
    assert told.subject == "Your Capicua account has another address now"
    assert after not in told.text
    entered = await entered_by(service, await link_for(service, letterbox, after))
    assert entered.state.account == kept.account
    await ask(service, before)
    await until_posted(service)
    assert len(letterbox.mails_to(before)) == 2


async def test_a_program_is_sent_no_link(service: Service, letterbox: Letterbox) -> None:
    address = new_address()
    await kept_account(service, letterbox, address)
    person = await service.guest()
    declared = await service.guest(bot=True)
    house = (await service.http.post("/house-bots", json={"region": "eu", "number": 7})).json()
    program = await service.http.post(
        f"/accounts/{person.account}/programs", json={"id": "1", "label": "Counting", "region": "eu"}
    )
    for account in (declared.account, house["state"]["account"], program.json()["account"]):
        assert code_of(await ask(service, new_address(), account)) == (403, "not-for-programs")
        assert code_of(await ask(service, address, account)) == (403, "not-for-programs")


async def test_a_link_used_by_many_at_once_moves_its_guest_once(service: Service, letterbox: Letterbox) -> None:
    address = new_address()
    kept, guest = await kept_account(service, letterbox, address), await service.guest()
    code = await link_for(service, letterbox, address, guest.account)
    answers = await asyncio.gather(*(use(service, code) for _ in range(8)))
    assert sorted(answer.status_code for answer in answers) == [200] + [410] * 7
    assert (await newest(service, kept.account)).merged == (guest.account,)
    assert [state.merged_into for state in await service.told_of(guest.account) if state] == [None, kept.account]


async def test_two_links_of_one_guest_at_once_move_it_once(service: Service, letterbox: Letterbox) -> None:
    addresses = [new_address(), new_address()]
    kept = [await kept_account(service, letterbox, address) for address in addresses]
    guest = await service.guest()
    codes = [await link_for(service, letterbox, address, guest.account) for address in addresses]
    entered = await asyncio.gather(*(entered_by(service, code) for code in codes))
    assert [each.state.account for each in entered] == [each.account for each in kept]
    assert sorted(str(each.moved) for each in entered) == sorted(["None", guest.account])


async def test_two_guests_who_want_one_address_at_once_end_as_one_account(
    service: Service, letterbox: Letterbox
) -> None:
    address, guests = new_address(), [await service.guest(), await service.guest()]
    codes = [await link_for(service, letterbox, address, guest.account) for guest in guests]
    entered = await asyncio.gather(*(entered_by(service, code) for code in codes))
    first, second = sorted(entered, key=lambda each: each.moved is not None)
    assert first.moved is None
    assert second.moved in {guest.account for guest in guests} - {first.state.account}
    assert second.state.account == first.state.account


async def test_a_guest_whose_account_has_moved_opens_nothing_new(service: Service, letterbox: Letterbox) -> None:
    taken, free = new_address(), new_address()
    await kept_account(service, letterbox, taken)
    guest = await service.guest()
    late = await link_for(service, letterbox, free, guest.account)
    await entered_by(service, await link_for(service, letterbox, taken, guest.account))
    assert code_of(await use(service, late)) == (404, "bad-link")
    assert code_of(await ask(service, free, guest.account)) == (403, "not-for-programs")


async def test_a_guest_whose_account_has_moved_makes_no_token_and_chooses_no_name(
    service: Service, letterbox: Letterbox
) -> None:
    """Whoever has an access token of it may ask until the gateways hear that it is none any more."""
    address = new_address()
    await kept_account(service, letterbox, address)
    guest = await service.guest()
    await entered_by(service, await link_for(service, letterbox, address, guest.account))
    path, told = f"/accounts/{guest.account}", len(await service.told_of(guest.account))
    token = await service.http.post(f"{path}/tokens", json={"id": "1", "label": "mine", "scopes": ["play"]})
    name = await service.http.put(f"{path}/name", json={"name": "Ada"})
    assert [code_of(answer) for answer in (token, name)] == [(404, "unknown-account")] * 2
    assert len(await service.told_of(guest.account)) == told
