"""Why something was not done: the stable codes of the account service."""

from enum import StrEnum
from typing import Self


class Code(StrEnum):
    """A code, its HTTP status, and in one line what it means to who asked."""

    status: int
    why: str

    def __new__(cls, code: str, status: int, why: str) -> Self:
        member = str.__new__(cls, code)
        member._value_ = code
        member.status = status
        member.why = why
        return member

    WRONG_INNER_KEY = "wrong-inner-key", 401, "the inner door is for our own processes"
    BAD_REQUEST = "bad-request", 422, "the request's body or path is malformed"
    NOT_FOUND = "not-found", 404, "there is no such path"
    METHOD_NOT_ALLOWED = "method-not-allowed", 405, "the path is there, the method is not"
    BAD_SECRET = "bad-secret", 401, "there is no session and no personal token with this secret, or no more"
    UNKNOWN_ACCOUNT = "unknown-account", 404, "there is no such account, or no more"
    UNKNOWN_SESSION = "unknown-session", 404, "the account has no such session, or no more"
    UNKNOWN_TOKEN = "unknown-token", 404, "the account has no such personal token, or no more"
    BAD_NAME = "bad-name", 422, "nothing is left of the name without what cannot be seen, or it cannot be kept"
    RESERVED_NAME = "reserved-name", 422, "nobody may be called so here"
    TOO_LIKE_ANOTHER = "too-like-another", 422, "the name looks like one of the house's or of its people"
    TOO_MANY_MUTES = "too-many-mutes", 409, "two hundred people at most: let somebody be heard again"
    TOO_MANY_TOKENS = "too-many-tokens", 409, "twenty personal tokens at most: end one"
    TOO_MANY_PROGRAMS = "too-many-programs", 409, "ten programs at most: end one"
    UNKNOWN_PROGRAM = "unknown-program", 404, "the account has no such program, or no more"
    NO_PERSON = "no-person", 403, "programs and house bots have neither personal tokens nor programs"
    BAD_ADDRESS = "bad-address", 422, "no mail can be sent there"
    TOO_MANY_LINKS = "too-many-links", 429, "the address, or the account, has had its links for now"
    NOT_FOR_PROGRAMS = "not-for-programs", 403, "programs and house bots have no mail, and are not deleted this way"
    MAIL_UNAVAILABLE = "mail-unavailable", 503, "this installation sends no mail"
    BAD_LINK = "bad-link", 404, "there is no link with this code, or the account that it was for has gone"
    LINK_USED = "link-used", 410, "a link works once"
    LINK_EXPIRED = "link-expired", 410, "the link's time was over"
    TOO_MANY_REPORTS = "too-many-reports", 429, "twenty reports an hour at most"
    UNKNOWN_REPORT = "unknown-report", 404, "there is no such report"
    REPORT_MOVED = "report-moved", 409, "the report is in another state, or another operator has taken it"
    BAD_CURSOR = "bad-cursor", 422, "a cursor is what the page before names as the next one"
    ACCOUNTS_UNAVAILABLE = "accounts-unavailable", 503, "accounts cannot be looked up or changed just now: try again"
    INTERNAL = "internal", 500, "a mistake of ours; it has been noted"


class Refused(Exception):
    """Nothing was done. `what` is the part that is wrong; nothing here quotes a secret or a name. `retry_seconds`: it
    may be asked again after so long."""

    def __init__(self, code: Code, what: str, expected: str, got: str, *, retry_seconds: int | None = None) -> None:
        super().__init__(code.value)
        self.code = code
        self.what = what
        self.expected = expected
        self.got = got
        self.retry_seconds = retry_seconds

    @property
    def headers(self) -> dict[str, str] | None:
        """What an answer says beside its body."""
        return None if self.retry_seconds is None else {"Retry-After": str(self.retry_seconds)}
