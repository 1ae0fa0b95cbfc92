"""The stable codes of this API's own errors. Those of the lobby and the table are passed on as they are."""

from enum import StrEnum
from typing import Self


class Code(StrEnum):
    """A code and, in one line, what it means to the client."""

    why: str

    def __new__(cls, code: str, why: str) -> Self:
        member = str.__new__(cls, code)
        member._value_ = code
        member.why = why
        return member

    BAD_MESSAGE = "bad-message", "the frame is no message of this API: a field is missing, unknown or malformed"
    UNKNOWN_MESSAGE = "unknown-message", "there is no message of this type"
    UNKNOWN_COMMAND = "unknown-command", "there is no command of this type for people at a table"
    FRAME_TOO_LARGE = "frame-too-large", "a frame may have 16 KiB"
    HELLO_EXPECTED = "hello-expected", "the first message of a socket is hello, within five seconds"
    BAD_TOKEN = "bad-token", "the token is missing, expired, or not of this service"
    UNKNOWN_TABLE = "unknown-table", "no table with this id has been opened, or it was over long ago"
    TABLE_RETIRED = "table-retired", "the table, if there was one, was over so long ago that only its log remembers it"
    NOT_SEATED = "not-seated", "only somebody with a seat may act at a table"
    TOO_MANY_REQUESTS = "too-many-requests", "slower: nothing was done, send it again in a moment"
    TOO_MANY_WATCHES = "too-many-watches", "a socket watches eight tables at most: unwatch one"
    UNKNOWN_RESULT = "unknown-result", "no answer in time: repeat with the same id, it has one effect"
    TABLE_UNREADABLE = "table-unreadable", "this version cannot show the table; it goes on without you seeing it"
    TABLE_UNAVAILABLE = "table-unavailable", "the table cannot be shown just now: watch it again in a moment"
    BAD_REQUEST = "bad-request", "the request's body or path is malformed"
    BODY_TOO_LARGE = "body-too-large", "a body may have 16 KiB"
    NOT_FOUND = "not-found", "there is no such path"
    METHOD_NOT_ALLOWED = "method-not-allowed", "the path is there, the method is not"
    SCOPE_MISSING = "scope-missing", "the personal token was made without this scope, or this is for sessions alone"
    ACCOUNTS_UNAVAILABLE = (
        "accounts-unavailable",
        "accounts cannot be made, looked up or changed just now: try again in a moment",
    )
    NOT_CONFIRMED = "not-confirmed", "an account is deleted when its own id confirms it"
    WRONG_HOUSE_KEY = "wrong-house-key", "only the house can make house bots"
    HOUSE_ONLY = "house-only", "only house bots may do this"
    OTHER_REGION = "other-region", "an account waits and sits down in the region where it was made, and only there"
    UNKNOWN_REGION = "unknown-region", "this gateway serves another region"
    NOT_QUEUED = "not-queued", "you do not wait in this region"
    UNKNOWN_ROOM = "unknown-room", "there is a public room for each preset, and no other"
    BAD_CURSOR = "bad-cursor", "a cursor is what the page before names as the next one"
    NO_LONGER_OFFERED = "no-longer-offered", "a table was offered with this id, too long ago to say which"
    MY_TABLES_UNAVAILABLE = (
        "my-tables-unavailable",
        "finished tables cannot be looked up just now: try again in a moment",
    )
    NOT_A_PARTICIPANT = "not-a-participant", "a replay is for those who had a seat"
    NOT_FINISHED = "not-finished", "a replay is there when the match is over"
    UNKNOWN_CODE = "unknown-code", "no open room has this code, and no screen waits for it"
    TOO_MANY_WRONG_CODES = "too-many-wrong-codes", "ten from an address or thirty of an account: wait"
    CODES_UNAVAILABLE = "codes-unavailable", "codes cannot be looked up just now: try again in a moment"
    NOT_IN_ROOM = "not-in-room", "only people in a private room may do this"
    NOT_HOST = "not-host", "only the room's host may do this"
    REMOVED = "removed", "the host has removed you from this room"
    ROOM_UNREADABLE = "room-unreadable", "this version cannot show the room; it goes on without you seeing it"
    SCREEN_ONLY = "screen-only", "a screen looks at its room and its tables, and does nothing else"
    NOT_PAIRED = "not-paired", "the screen shows no room yet: type its code in a room"
    TOO_MANY_SCREENS = "too-many-screens", "a room has eight screens at most"
    TEXT_NOT_HERE = "text-not-here", "free text is for private rooms; at a table there are phrases"
    TOO_MUCH_TALK = "too-much-talk", "five things in ten seconds at most: nothing was said, wait a moment"
    TALK_UNAVAILABLE = "talk-unavailable", "talk, names and mutes cannot be kept just now: try again in a moment"
    BAD_IDEMPOTENCY_KEY = (
        "bad-idempotency-key",
        "1 to 64 letters, digits, '.', '_' or '-'; where there is no id, 16 at least",
    )
    IDEMPOTENCY_KEY_DIFFERS = "idempotency-key-differs", "the id of the body is the key: send one of them, or the same"
    IDEMPOTENCY_KEY_REUSED = "idempotency-key-reused", "something else was asked under this key: take a new one"
    IDEMPOTENCY_UNDER_WAY = "idempotency-under-way", "the first request with this key has no answer yet: ask again"
    IDEMPOTENCY_UNAVAILABLE = (
        "idempotency-unavailable",
        "keys cannot be looked up just now, so nothing was done: try again, or without a key if twice does no harm",
    )
    GATEWAY_FULL = "gateway-full", "no room for one more connection here: try again in a moment"
    GATEWAY_LEAVING = "gateway-leaving", "this gateway is stopping: come again in a moment, to another one"
    BODY_TOO_SLOW = "body-too-slow", "a body has to be here within ten seconds"
    INTERNAL = "internal", "a mistake of ours; it has been noted"
