"""Guests who try things, from everywhere: a new one often enough that none has asked too much."""

import httpx
from tests.gateway.fuzz.planted import Planted, somewhere

ASKS_OF_ONE = 8
TRIES = 20


class Strangers:
    """`headers` of one who has not asked much yet. What is secret about them is not to be in any log either."""

    def __init__(self, planted: Planted) -> None:
        self._http = httpx.Client(base_url=planted.url, timeout=20)
        self._planted = planted
        self._asked = ASKS_OF_ONE
        self.token = ""
        self._headers: dict[str, str] = {}

    def headers(self) -> dict[str, str]:
        if self._asked >= ASKS_OF_ONE:
            self.renew()
        self._asked += 1
        return self._headers

    def renew(self) -> None:
        """The next one comes."""
        self._asked, where = 0, somewhere()
        guest = self._arrive(where)
        self.token = guest["token"]
        self._headers = where | {"Authorization": f"Bearer {self.token}"}

    def _arrive(self, where: dict[str, str]) -> dict[str, str]:
        """Comes again if it is told to: on a machine that does too much else the log may be away for a moment."""
        for _ in range(TRIES):
            answer = self._http.post("/v1/guests", json={}, headers=where)
            if answer.status_code != 503:
                break
        guest: dict[str, str] = answer.raise_for_status().json()
        return guest

    def close(self) -> None:
        self._http.close()
