"""Links used twice, late, guessed and asked for too often; and nobody learns which addresses are known."""

import asyncio
from hashlib import sha256

import pytest
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
from tests.account.service import Newcomer, Service

MINUTE_MS = 60_000


async def let_pass(service: Service, milliseconds: int) -> None:
    """Links and codes are so much older at once."""
    await service.rows("UPDATE links SET asked_at = asked_at - %s RETURNING link", milliseconds)
    await service.rows("UPDATE link_codes SET expires_at = expires_at - %s RETURNING link", milliseconds)


async def test_a_link_works_once(service: Service, letterbox: Letterbox) -> None:
    guest = await service.guest()
    code = await link_for(service, letterbox, new_address(), guest.account)
    await entered_by(service, code)
    assert code_of(await use(service, code)) == (410, "link-used")


async def test_a_link_works_for_a_quarter_of_an_hour(service: Service, letterbox: Letterbox) -> None:
    guest = await service.guest()
    code = await link_for(service, letterbox, new_address(), guest.account)
    await let_pass(service, 14 * MINUTE_MS)
    late = await link_for(service, letterbox, new_address(), guest.account)
    await entered_by(service, code)
    await let_pass(service, 15 * MINUTE_MS)
    assert code_of(await use(service, late)) == (410, "link-expired")
    assert (await ask(service, new_address())).json() == {"seconds": 900}


@pytest.mark.parametrize("code", ["x" * 43, "0" * 16, "x" * 128])
async def test_a_guessed_link_is_none(service: Service, code: str) -> None:
    assert code_of(await use(service, code)) == (404, "bad-link")


@pytest.mark.parametrize("code", ["", "c0de", "x" * 129, "ü" * 43, "x" * 42 + "\x00", "' OR true --"])
async def test_what_cannot_be_a_code_is_refused_without_being_quoted(service: Service, code: str) -> None:
    answer = await use(service, code)
    assert code_of(answer) == (422, "bad-request")
    assert not code or code not in answer.text


async def test_a_code_is_random_and_kept_as_a_hash_alone(service: Service, letterbox: Letterbox) -> None:
    guest = await service.guest()
    codes = [await link_for(service, letterbox, new_address(), guest.account) for _ in range(3)]
    assert len(set(codes)) == 3
    assert {len(code) for code in codes} == {43}
    hashes = {row[0] for row in await service.rows("SELECT hash FROM link_codes")}
    assert {sha256(code.encode()).hexdigest() for code in codes} <= hashes
    for table in ("links", "link_codes", "mails", "outbox", "accounts"):
        kept = str(await service.rows(f"SELECT * FROM {table}"))
        assert not any(code in kept for code in codes), table


async def test_an_address_has_three_links_in_a_quarter_of_an_hour(service: Service) -> None:
    address = new_address()
    answers = [await ask(service, written) for written in (address, address.upper(), address)]
    assert [answer.status_code for answer in answers] == [200] * 3
    refused = await ask(service, address)
    assert code_of(refused) == (429, "too-many-links")
    assert 0 < int(refused.headers["Retry-After"]) <= 15 * 60
    await let_pass(service, 15 * MINUTE_MS)
    assert (await ask(service, address)).status_code == 200


async def test_spellings_that_may_reach_one_mailbox_are_counted_as_one(service: Service) -> None:
    name, _, domain = new_address().partition("@")
    spellings = [f"{name}@{domain}", f"{name}+1@{domain}", f"{name[:3]}.{name[3:]}@{domain}", f"{name}+2@{domain}"]
    answers = await asyncio.gather(*(ask(service, spelling) for spelling in spellings))
    assert sorted(answer.status_code for answer in answers) == [200] * 3 + [429]
    assert (await ask(service, f"another.{name}@{domain}")).status_code == 200


async def test_whoever_uses_up_somebodys_links_is_nothing_to_who_asks_from_elsewhere(service: Service) -> None:
    address = new_address()
    answers = [await ask(service, address, asked_from="192.0.2.7") for _ in range(4)]
    assert [answer.status_code for answer in answers] == [200] * 3 + [429]
    assert (await ask(service, address, asked_from="198.51.100.7")).status_code == 200
    hidden = str(await service.rows("SELECT * FROM links WHERE address_key = %s", address))
    assert "192.0.2.7" not in hidden


async def test_strangers_never_use_up_the_links_of_who_has_the_account(service: Service, letterbox: Letterbox) -> None:
    address = new_address()
    kept = await kept_account(service, letterbox, address)
    answers = [await ask(service, address, asked_from=f"192.0.2.{number // 3}") for number in range(12)]
    assert sorted(answer.status_code for answer in answers) == [200] * 9 + [429] * 3
    assert code_of(await ask(service, address, (await service.guest()).account)) == (429, "too-many-links")
    own = [await ask(service, address, kept.account) for _ in range(3)]
    assert [answer.status_code for answer in own] == [200, 200, 429]


async def test_an_address_has_ten_links_a_day(service: Service) -> None:
    address = new_address()
    for _ in range(10):
        assert (await ask(service, address)).status_code == 200
        await let_pass(service, 15 * MINUTE_MS)
    refused = await ask(service, address)
    assert code_of(refused) == (429, "too-many-links")
    assert int(refused.headers["Retry-After"]) > 20 * 60 * 60


async def test_an_account_has_three_links_whatever_the_address(service: Service) -> None:
    guest = await service.guest()
    for _ in range(3):
        assert (await ask(service, new_address(), guest.account)).status_code == 200
    assert code_of(await ask(service, new_address(), guest.account)) == (429, "too-many-links")
    assert (await ask(service, new_address(), (await service.guest()).account)).status_code == 200


async def test_asked_for_at_once_there_are_no_more_links_than_one_after_the_other(service: Service) -> None:
    address = new_address()
    answers = await asyncio.gather(*(ask(service, address) for _ in range(12)))
    assert sorted(answer.status_code for answer in answers) == [200] * 3 + [429] * 9


async def test_the_answer_is_the_same_whether_an_address_is_known_or_not(
    service: Service, letterbox: Letterbox
) -> None:
    known, unknown = new_address(), new_address()
    await kept_account(service, letterbox, known)
    await service.rows("DELETE FROM links RETURNING link")
    told = []
    for address in (known, unknown):
        answers = [await ask(service, address) for _ in range(4)]
        told.append([(each.status_code, each.text.replace(address, ""), sorted(each.headers)) for each in answers])
    assert told[0] == told[1]
    await until_posted(service)
    assert len(letterbox.mails_to(known)) == 4
    assert letterbox.mails_to(unknown) == []


async def test_mail_goes_to_the_address_as_its_owner_wrote_it(service: Service, letterbox: Letterbox) -> None:
    address = new_address()
    await kept_account(service, letterbox, address)
    await ask(service, address.upper())
    assert (await letterbox.mail_to(address, 2)).to == address


async def test_an_address_that_is_none_is_refused_without_being_quoted(service: Service) -> None:
    answer = await ask(service, "somebody@localhost")
    assert code_of(answer) == (422, "bad-address")
    assert "somebody" not in answer.text


async def test_an_account_that_is_not_there_is_sent_no_link(service: Service) -> None:
    assert code_of(await ask(service, new_address(), Newcomer().account)) == (404, "unknown-account")
