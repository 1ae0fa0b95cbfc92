"""Sockets that are told anything, in any order: each message that comes back is one of this API's and shows nothing of
somebody else's, and a socket that was greeted goes on."""

import asyncio
import json
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from typing import Any, ClassVar

import pytest
from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule, run_state_machine_as_test
from pydantic import TypeAdapter
from tests.gateway.fuzz.budget import beside_servers, in_rounds, long_enough
from tests.gateway.fuzz.planted import Planted, somewhere
from tests.gateway.fuzz.strangers import Strangers
from tests.gateway.test_anything import HALF, MESSAGES, example
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from contracts.api import ToClient

pytestmark = pytest.mark.servers
SOCKETS_A_ROUND, STEPS = 5, 20
FROM_SERVER: TypeAdapter[Any] = TypeAdapter(ToClient)
MISUNDERSTOOD = {1002, 1003, 1007, 1009}
"""Close codes of the protocol itself, for what is no text in UTF-8 or over 1 MiB."""
NOT_GREETED = {4401, 4403}
SECONDS_MAX = 30.0

TEXTS = st.text(max_size=40) | st.sampled_from((HALF, "\x00", "‮evil", "é" * 30, "../../etc", "%00", "<script>"))
ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | TEXTS | st.just(10**400),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=12,
)


@st.composite
def messages(draw: st.DrawFn) -> dict[str, Any]:
    """One of this API's, often with something else in the place of a part of it."""
    message = example(draw(st.sampled_from(MESSAGES)))
    for _ in range(draw(st.integers(0, 2))):
        holder, name = draw(st.sampled_from(list(_places(message))))
        holder[name] = draw(ANYTHING)
    return message


def _places(value: dict[str, Any]) -> Iterator[tuple[dict[str, Any], str]]:
    for name, each in value.items():
        yield value, name
        if isinstance(each, dict):
            yield from _places(each)
    yield value, "surplus"


class Socket(RuleBasedStateMachine):
    """A guest's socket; `tried` counts steps over all of them."""

    secret: ClassVar[Planted]
    strangers: ClassVar[Strangers]
    tried: ClassVar[int] = 0

    def __init__(self) -> None:
        super().__init__()
        self._open = ExitStack()
        self._socket: ClientConnection
        self._pings = 0

    @initialize()
    def come(self) -> None:
        self.strangers.renew()
        self._connect()
        self._say({"type": "hello", "token": self.strangers.token})
        assert self._hear()["type"] == "welcome"

    def teardown(self) -> None:
        self._open.close()

    @rule(message=messages())
    def says_something(self, message: dict[str, Any]) -> None:
        self._say(message)
        self._goes_on()

    @rule(message=messages(), at=st.sampled_from(("table_id", "code", "account")))
    def says_it_about_others(self, message: dict[str, Any], at: str) -> None:
        theirs = {"table_id": self.secret.table_id, "code": "ABCDEF", "account": self.secret.accounts[0]}
        self._say(message | {at: theirs[at]} if at in message else message)
        self._goes_on()

    @rule()
    def watches_others(self) -> None:
        self._say({"type": "watch", "table_id": self.secret.table_id, "version": 0})
        view = self._hear("view", "error")
        assert view["type"] == "error" or view["view"]["you"] is None

    @rule(command=st.sampled_from(("sit-down", "pass-turn", "resign", "leave-table", "return-to-seat")))
    def acts_for_others(self, command: str) -> None:
        body = {"type": command} | ({"turn": 1} if command == "pass-turn" else {})
        self._say({"type": "command", "id": "c1", "table_id": self.secret.table_id, "command": body})
        answer = self._hear("answer", "error")
        while answer.get("id") != "c1":
            answer = self._hear("answer", "error")
        assert answer["code"] in ("not-seated", "too-many-requests")

    @rule(value=ANYTHING)
    def says_any_json(self, value: Any) -> None:
        self._say(value)
        self._goes_on()

    @rule(text=st.text(max_size=200) | st.sampled_from(("[" * 8_000, "x" * 20_000, "{" * 3_000, '{"a":' * 2_000)))
    def says_any_text(self, text: str) -> None:
        self._socket.send(text)
        self._goes_on()

    @rule(data=st.binary(max_size=200))
    def sends_bytes(self, data: bytes) -> None:
        self._socket.send(data)
        self._goes_on()

    @rule(data=st.binary(min_size=1, max_size=50))
    def sends_what_is_no_text(self, data: bytes) -> None:
        with suppress(ConnectionClosed):
            self._socket.send(b"\xff" + data, text=True)
        self._is_closed(MISUNDERSTOOD)
        self.come()

    @rule(token=TEXTS | st.binary(max_size=30).map(lambda data: f"eyJhbGciOiJub25lIn0.{data.hex()}."))
    def comes_with_a_bad_token(self, token: str) -> None:
        self._connect()
        self._say({"type": "hello", "token": token})
        assert self._hear("error")["code"] in ("bad-token", "bad-message")
        self._is_closed(NOT_GREETED)
        self.come()

    @rule(value=ANYTHING)
    def comes_without_a_hello(self, value: Any) -> None:
        self._connect()
        self._say(value)
        self._is_closed(NOT_GREETED)
        self.come()

    # ---- what all of them need

    def _connect(self) -> None:
        """In the place of the connection before."""
        self._open.close()
        address = "ws" + self.secret.url.removeprefix("http") + "/v1/ws"
        where = somewhere()
        self._socket = self._open.enter_context(
            connect(address, compression=None, additional_headers=where, max_size=2**24, proxy=None)
        )

    def _say(self, message: Any) -> None:
        Socket.tried += 1
        self._socket.send(json.dumps(message))

    def _hear(self, *kinds: str) -> dict[str, Any]:
        """The next message of one of these types, or of any; all of them are looked at."""
        while True:
            message: dict[str, Any] = json.loads(self._socket.recv(SECONDS_MAX))
            FROM_SERVER.validate_python(message)
            self.secret.check_message(f"a message {message['type']}", message)
            if not kinds or message["type"] in kinds:
                return message

    def _goes_on(self) -> None:
        """A ping is answered, or refused for being one too many."""
        self._pings += 1
        name = f"still-there-{self._pings}"
        self._say({"type": "ping", "id": name})
        while self._hear("pong", "error").get("id") != name:
            pass

    def _is_closed(self, codes: set[int]) -> None:
        code = None
        try:
            while True:
                self._hear()
        except ConnectionClosed as closed:
            code = closed.rcvd.code if closed.rcvd is not None else None
        assert code in codes


@beside_servers
@long_enough
async def test_whatever_a_socket_is_told_it_goes_on_and_gives_nothing_away(secret: Planted) -> None:
    await asyncio.to_thread(_tell_everything, secret)
    secret.check_logs()


def _tell_everything(secret: Planted) -> None:
    Socket.secret, Socket.strangers = secret, Strangers(secret)

    def attempt(number: int) -> int:
        before = Socket.tried
        run_state_machine_as_test(
            seed(number)(type("Socket", (Socket,), {})),
            settings=settings(
                max_examples=SOCKETS_A_ROUND,
                stateful_step_count=STEPS,
                deadline=None,
                database=None,
                phases=[Phase.generate],
                suppress_health_check=list(HealthCheck),
            ),
        )
        return Socket.tried - before

    try:
        in_rounds("messages", attempt)
    finally:
        Socket.strangers.close()
