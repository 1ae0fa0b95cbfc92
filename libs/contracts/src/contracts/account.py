"""Accounts on the bus: the one command that comes this way, and the account's whole public state.

What is personal (mail, names that are wished for, secrets) is asked of the account service by `contracts.account_inner`
and is on no topic that is kept for ever.
"""

from typing import Annotated, Literal

from pydantic import Field

from contracts.message import AccountId, Message, Milliseconds, Region

SessionId = Annotated[str, Field(pattern=r"^[a-z0-9]{16,64}$")]
Hash = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$", description="SHA-256 of a secret, in hexadecimal digits")]
Language = Literal["en", "de", "pl"]
Avatar = Annotated[str, Field(pattern=r"^[0-6]-[0-6]$", description="a tile, higher half first: 6-3")]
Kind = Literal["guest", "kept", "program", "house"]
"""`kept`: with a mail address by which it can be recovered. `program`: a person's declared bot. `house`: ours."""


class CreateGuest(Message):
    """To `account.commands`, key `account`. Repeated, it has one effect. The gateway has drawn both ids and the
    session's secret, of which the log has the hash alone. `bot`: a program by its own declaration."""

    type: Literal["create-guest"] = "create-guest"
    account: AccountId
    session: SessionId
    secret_hash: Hash
    region: Region
    language: Language = "en"
    bot: bool = False


AccountCommand = Annotated[CreateGuest, Field()]


class EndedSession(Message):
    """Tokens of this session are no longer good, whenever they were signed."""

    session: SessionId
    at: Milliseconds


class AccountState(Message):
    """A record of `account.events`, key `account`: all that others may know. The newest counts; a tombstone deletes.

    `version` counts the account's records from 1. `name`: as others see it, none: one made from the id. `ended`: the
    sessions ended so lately that an access token of them may not have run out. `all_ended_at`: no token signed up to
    then is good. `merged_into`: everything of this guest is the other account's now. `merged`: the guests whose matches
    and styles are this account's. `owner`: whose program it is.
    """

    account: AccountId
    version: Annotated[int, Field(ge=1)]
    kind: Kind
    region: Region
    made_at: Milliseconds
    name: str | None = None
    avatar: Avatar = "6-6"
    language: Language = "en"
    bot: bool = False
    owner: AccountId | None = None
    ended: tuple[EndedSession, ...] = ()
    all_ended_at: Milliseconds | None = None
    merged_into: AccountId | None = None
    merged: tuple[AccountId, ...] = ()
