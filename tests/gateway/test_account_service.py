"""What the gateway makes of the account service's answers."""

import httpx
import pytest

from contracts.api import Problem
from gateway.account_service import AccountsAway, AccountService, refusal
from gateway.problems import ProblemError


def answered(status: int, code: str, **headers: str) -> Exception:
    document = Problem(title="t", status=status, code=code, detail="d", expected="e", got="g")
    return refusal(httpx.Response(status, content=document.model_dump_json(), headers=headers))


@pytest.mark.parametrize(
    ("status", "code"),
    [
        (409, "too-many-tokens"),
        (422, "reserved-name"),
        (401, "bad-secret"),
        (410, "link-used"),
        (503, "mail-unavailable"),
    ],
)
def test_a_refusal_is_passed_on_as_it_is(status: int, code: str) -> None:
    error = answered(status, code)
    assert isinstance(error, ProblemError)
    found = error.problem
    assert (found.status, found.code, found.detail, found.expected, found.got) == (status, code, "d", "e", "g")


def test_when_to_try_again_is_passed_on_and_no_other_header() -> None:
    error = answered(429, "too-many-links", **{"Retry-After": "60", "X-Inner": "secret"})
    assert isinstance(error, ProblemError)
    assert error.headers == {"retry-after": "60"}


def test_who_has_no_account_any_more_has_a_token_that_is_no_good() -> None:
    error = answered(404, "unknown-account")
    assert isinstance(error, ProblemError)
    assert (error.problem.status, error.problem.code) == (401, "bad-token")


@pytest.mark.parametrize(
    ("status", "code"), [(401, "wrong-inner-key"), (500, "internal"), (503, "accounts-unavailable")]
)
def test_trouble_is_not_the_clients(status: int, code: str) -> None:
    assert isinstance(answered(status, code), AccountsAway)


def test_what_is_no_problem_document_is_trouble_too() -> None:
    assert isinstance(refusal(httpx.Response(404, content=b"<html>")), AccountsAway)


async def test_who_cannot_be_reached_is_away() -> None:
    service = AccountService("http://127.0.0.1:1", "a key")
    with pytest.raises(AccountsAway):
        await service.profile("g1")
    await service.close()
