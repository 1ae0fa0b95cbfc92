"""Commands and sayings that have no answer yet: kept, and sent again with the same id, until they have one."""

import asyncio

from capicua.errors import CapicuaError, Refused
from contracts.api import Answer, SocketError, TableRequest
from contracts.room_api import Said, Say

Asked = TableRequest | Say
"""What is answered by its id."""
COME_AGAIN = frozenset({"too-many-requests", "unknown-result"})
"""The command was not looked at, or nobody knows: the same one may be sent again."""


class Outbox:
    """By command id. The first answer counts; what comes again for a repeated command is passed over."""

    def __init__(self) -> None:
        self._requests: dict[str, Asked] = {}
        self._answers: dict[str, asyncio.Future[int]] = {}

    def put(self, request_id: str, request: Asked, error: CapicuaError | None = None) -> asyncio.Future[int]:
        """The future gives the version that answers the command, 0 for what was said, or raises. Raises `error` at once
        if there is one."""
        if error is not None:
            raise error
        answer: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self._requests[request_id] = request
        self._answers[request_id] = answer
        return answer

    def waiting(self) -> list[Asked]:
        """In the order in which they were put."""
        return list(self._requests.values())

    def answered(self, answer: Answer) -> None:
        if answer.code is None:
            self._settle(answer.id, answer.version)
        else:
            self._settle(answer.id, Refused(answer.code, answer.message or "", answer.expected, answer.got))

    def said(self, said: Said) -> None:
        self._settle(said.id, 0)

    def refused(self, error: SocketError) -> None:
        if error.id is not None and error.code not in COME_AGAIN:
            self._settle(error.id, Refused(error.code, error.message, error.expected, error.got))

    def drop(self, request_id: str) -> None:
        self._requests.pop(request_id, None)
        self._answers.pop(request_id, None)

    def fail(self, error: CapicuaError) -> None:
        for request_id in list(self._answers):
            self._settle(request_id, error)

    def _settle(self, request_id: str, result: int | CapicuaError) -> None:
        answer = self._answers.get(request_id)
        if answer is None or answer.done():
            return
        if isinstance(result, int):
            answer.set_result(result)
        else:
            answer.set_exception(result)
