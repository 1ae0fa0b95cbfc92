"""What is asked of the account service for people who wait to be shown something."""

import pytest
from tests.keys import INNER_KEY
from tests.memory_log import HandClock

from gateway.account_answers import REST_SECONDS, AccountAnswers
from gateway.account_service import AccountsAway, AccountService


async def test_a_server_that_knows_nothing_of_it_is_as_good_as_none(gateway_url: str) -> None:
    """No question here can be wrong: a refusal is nothing that people are shown, whatever they have asked for."""
    service, clock = AccountService(gateway_url, INNER_KEY), HandClock()
    answers = AccountAnswers(service, clock)
    for ask in (answers.names, answers.merged, answers.muted):
        with pytest.raises(AccountsAway):
            await ask(["gsomebody"])
        clock.now += int(REST_SECONDS * 1000)
    await service.close()


async def test_of_who_is_not_there_nothing_is_known(account_url: str) -> None:
    service = AccountService(account_url, INNER_KEY)
    answers = AccountAnswers(service, HandClock())
    assert [dict(await ask(["gnobody"])) for ask in (answers.names, answers.merged, answers.muted)] == [{}, {}, {}]
    await service.close()
