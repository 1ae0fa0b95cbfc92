"""No request body over 16 KiB is read to its end."""

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from gateway.problems import ProblemError, answer

BODY_BYTES_MAX = 16 * 1024


class _TooLarge(Exception):
    pass


class BodyLimit:
    """ASGI middleware: answers `body-too-large` by the announced length, or as soon as more has come."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        announced = dict(scope["headers"]).get(b"content-length", b"0")
        if announced.isdigit() and int(announced) > BODY_BYTES_MAX:
            await _refuse(scope, receive, send)
            return
        await self._counted(scope, receive, send)

    async def _counted(self, scope: Scope, receive: Receive, send: Send) -> None:
        received = 0
        started = False

        async def count() -> Message:
            nonlocal received
            message = await receive()
            received += len(message.get("body", b""))
            if received > BODY_BYTES_MAX:
                raise _TooLarge
            return message

        async def note(message: Message) -> None:
            nonlocal started
            started = True
            await send(message)

        try:
            await self._app(scope, count, note)
        except _TooLarge:
            if not started:
                await _refuse(scope, receive, send)


async def _refuse(scope: Scope, receive: Receive, send: Send) -> None:
    expected, got = f"at most {BODY_BYTES_MAX} bytes", "more"
    error = ProblemError(413, "body-too-large", f"body: expected {expected}, got {got}", expected=expected, got=got)
    await answer(error.problem)(scope, receive, send)
