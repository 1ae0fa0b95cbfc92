"""Requests of every kind, made from the API's own description: well-formed ones and broken ones, by people, by nobody
and with a forged token, about anything and about the very table and room that are nobody else's."""

import asyncio
import re
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from schemathesis import Case, GenerationMode
from schemathesis.checks import content_type_conformance, not_a_server_error, response_schema_conformance
from schemathesis.core.result import Ok
from tests.gateway.fuzz.budget import beside_servers, in_rounds, long_enough
from tests.gateway.fuzz.planted import Planted
from tests.gateway.fuzz.strangers import TRIES, Strangers

pytestmark = pytest.mark.servers
CASES_A_ROUND = 100
CHECKS = [not_a_server_error, content_type_conformance, response_schema_conformance]
AWAY = {
    "accounts-unavailable",
    "codes-unavailable",
    "idempotency-unavailable",
    "my-tables-unavailable",
    "table-unavailable",
    "talk-unavailable",
    "unknown-result",
}
AnyCase = Case[Any]
CODE = re.compile(r"[a-z][a-z0-9-]{1,63}")


def cases_of(url: str) -> st.SearchStrategy[AnyCase]:
    schema = schemathesis.openapi.from_url(f"{url}/v1/openapi.json")
    operations = [found.ok() for found in schema.get_all_operations() if isinstance(found, Ok)]
    modes = (GenerationMode.POSITIVE, GenerationMode.NEGATIVE)
    return st.one_of(*(each.as_strategy(generation_mode=mode) for each in operations for mode in modes))


def aimed(case: AnyCase, secret: Planted) -> None:
    """Points a request at what is somebody else's."""
    theirs = {"table_id": secret.table_id, "account": secret.accounts[0]}
    for name in case.path_parameters or {}:
        case.path_parameters[name] = theirs.get(name, case.path_parameters[name])


def is_away(answer: Any) -> bool:
    """A server that the gateway needs is away for a moment, and the client is told to come again: the one 5xx there is.
    Nothing is ended in these tests, but a machine that does too much else may hold one up."""
    return answer.status_code == 503 and answer.json()["code"] in AWAY


def judge(case: AnyCase, answer: Any, secret: Planted) -> None:
    """Raises when an answer is none of this API's, or says too much."""
    case.validate_response(answer, checks=CHECKS)
    where = f"the answer to {case.method} {case.path}"
    secret.check(where, f"{answer.headers} {answer.content.decode(errors='replace')}")
    if "json" not in answer.headers.get("content-type", [""])[0]:
        return
    body = answer.json()
    secret.check_message(where, body)
    if answer.status_code >= 400:
        assert body["status"] == answer.status_code
        assert CODE.fullmatch(body["code"])


@beside_servers
@long_enough
async def test_whatever_is_asked_is_answered_and_nothing_is_given_away(secret: Planted) -> None:
    await asyncio.to_thread(_ask_for_everything, secret)
    secret.check_logs()


def _ask_for_everything(secret: Planted) -> None:
    strangers, cases = Strangers(secret), cases_of(secret.url)
    who = st.sampled_from(("guest", "guest", "guest", "nobody", "forged"))

    def attempt(number: int) -> int:
        tried = 0

        @seed(number)
        @settings(
            max_examples=CASES_A_ROUND,
            deadline=None,
            database=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        @given(cases, who, st.booleans())
        def ask(case: AnyCase, who: str, at_theirs: bool) -> None:
            nonlocal tried
            tried += 1
            if at_theirs:
                aimed(case, secret)
            headers = dict(strangers.headers())
            if who == "nobody":
                del headers["Authorization"]
            elif who == "forged":
                headers["Authorization"] = headers["Authorization"][:-4] + "AAAA"
            for _ in range(TRIES):
                answer = case.call(base_url=secret.url, headers=headers)
                if not is_away(answer):
                    break
            judge(case, answer, secret)

        ask()
        return tried

    try:
        in_rounds("requests", attempt)
    finally:
        strangers.close()
