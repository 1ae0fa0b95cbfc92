"""The API's description of itself: two documents for programs, and a page of both for people."""

import json
from functools import cached_property
from typing import Any

from fastapi import FastAPI

from gateway.asyncapi import asyncapi_of
from gateway.description_page import STYLE, page_of
from gateway.documented import Documented
from gateway.openapi import openapi_of
from gateway.security_headers import policy_for_page

POLICY = policy_for_page([STYLE])
"""The page's own content security policy."""


class Description:
    """Made when it is first asked for, of an `api` that has all its routes by then."""

    def __init__(self, api: FastAPI, known: Documented) -> None:
        self._api = api
        self._known = known

    @cached_property
    def openapi(self) -> dict[str, Any]:
        return openapi_of(self._api, self._known)

    @cached_property
    def asyncapi(self) -> dict[str, Any]:
        return asyncapi_of(self._api.version, self._known)

    @cached_property
    def page(self) -> str:
        """HTML."""
        return page_of(self.openapi, self.asyncapi, self._known.codes)


def as_text(document: dict[str, Any]) -> str:
    """JSON for people, too."""
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"
