"""The handshake of a WebSocket (RFC 6455, 4.2): one that is none has an answer like all others."""

from starlette.responses import Response as Answer
from websockets.datastructures import Headers
from websockets.http11 import Request, Response

from gateway.codes import Code
from gateway.pinging import Pinging
from gateway.problems import answer, problem
from gateway.security_headers import SecurityHeaders

SWITCHING = 101
KEPT = ("Upgrade", "Sec-WebSocket-Version")
"""What a client learns from a refusal: which protocol in which version is spoken here."""


def answering(headers: SecurityHeaders) -> type[Pinging]:
    """The protocol of sockets, with these `headers` on a refused handshake: the library's own has none."""

    class Answering(Pinging):
        def handle_connect(self, event: Request) -> None:
            refused = self.conn.accept(event)
            if refused.status_code == SWITCHING:
                super().handle_connect(event)
                return
            problem_of = _no_handshake(refused)
            headers.add(problem_of.headers, event.path)
            self.handshake_initiated = self.handshake_complete = self.close_sent = True
            told = Headers((name.decode(), value.decode("latin-1")) for name, value in problem_of.headers.raw)
            self.conn.send_response(Response(refused.status_code, refused.reason_phrase, told, bytes(problem_of.body)))
            self.transport.write(b"".join(self.conn.data_to_send()))
            self.transport.close()

    return Answering


def _no_handshake(refused: Response) -> Answer:
    expected = "a WebSocket handshake of version 13 (RFC 6455)"
    kept = {name: refused.headers[name] for name in KEPT if name in refused.headers}
    error = problem(
        refused.status_code, Code.BAD_REQUEST, "request", expected, "another", headers=kept | {"Connection": "close"}
    )
    return answer(error.problem, error.headers)
