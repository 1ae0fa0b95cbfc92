"""A process like the product's, without the product: serves /live and /ready, and says what it was told."""

import json
import os
import signal
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer
from types import FrameType
from typing import Any


class Probe(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        answers: dict[str, Any] = {"/live": "alive", "/ready": "ready", "/environment": dict(os.environ)}
        self.send_response(200 if self.path in answers else 404)
        self.end_headers()
        self.wfile.write(json.dumps(answers.get(self.path)).encode())


def end(number: int, frame: FrameType | None) -> None:
    sys.exit(0)


if __name__ == "__main__":
    if os.environ.get("STAND_IN_FAILS"):
        sys.exit("stand-in: told to fail")
    signal.signal(signal.SIGTERM, end)
    HTTPServer(("127.0.0.1", int(os.environ["CAPICUA_HEALTH_PORT"])), Probe).serve_forever()
