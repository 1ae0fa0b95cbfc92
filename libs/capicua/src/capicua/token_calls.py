"""Personal tokens and declared programs, as a client calls them."""

from collections.abc import Sequence
from urllib.parse import quote

from capicua.connected import Connected
from capicua.errors import well_formed
from capicua.ids import new_id
from contracts.account_api import (
    PersonalToken,
    PersonalTokens,
    Program,
    ProgramRequest,
    ProgramTokenRequest,
    Scope,
    TokenRequest,
)

TRIES_MAX = 3


class TokenCalls(Connected):
    """What programs of one's own come in by; the part of a `Client` for it."""

    async def tokens(self) -> tuple[PersonalToken, ...]:
        """The account's personal tokens and those of its programs, without their secrets."""
        await self._identify()
        return PersonalTokens.model_validate(await self._http.get("/v1/me/tokens")).tokens

    async def make_token(self, label: str, scopes: Sequence[Scope] = ("play",)) -> PersonalToken:
        """A personal token, whose `secret` is said this once: what a program gives as `Client(url, token=secret)`, or
        the command as `CAPICUA_TOKEN`. Raises `Refused`, such as after twenty of them.

        `scopes`: `play` is for the queue and tables, `rooms` for private rooms and talk, `account` for profile and
        mutes; no token may ask for mail, sessions, tokens, export or deletion.

        One that was made while its answer was lost comes without its secret: it is ended, and another one made, a few
        times at most.
        """
        await self._identify()
        for _ in range(TRIES_MAX - 1):
            made = await self._make_token(label, scopes)
            if made.secret is not None:
                return made
            await self.end_token(made.token)
        return await self._make_token(label, scopes)

    async def _make_token(self, label: str, scopes: Sequence[Scope]) -> PersonalToken:
        with well_formed("bad-request"):
            request = TokenRequest(id=new_id(), label=label, scopes=tuple(scopes))
        return PersonalToken.model_validate(await self._http.post("/v1/me/tokens", request))

    async def end_token(self, token: str) -> None:
        """Whoever uses it is signed out within seconds. `token` is its name in the list, which is no secret. Raises
        `Refused` for one that there is not."""
        await self._identify()
        await self._http.delete(f"/v1/me/tokens/{quote(token, safe='')}")

    async def make_program(self, label: str) -> Program:
        """A declared bot of one's own, with an account and a token of its own, whose `secret` is said this once. One
        that was made while its answer was lost gets another token. Raises `Refused`, such as after ten of them."""
        with well_formed("bad-request"):
            request = ProgramRequest(id=new_id(), label=label)
        await self._identify()
        made = Program.model_validate(await self._http.post("/v1/me/programs", request))
        if made.token.secret is not None:
            return made
        return Program(account=made.account, token=await self.replace_program_token(made.account))

    async def replace_program_token(self, program: str) -> PersonalToken:
        """A new token of a program, whose `secret` is said this once; whoever uses an older one is signed out within
        seconds. `program` is its account. Raises `Refused` for one that there is not."""
        path = f"/v1/me/programs/{quote(program, safe='')}/token"
        await self._identify()
        for _ in range(TRIES_MAX):
            made = PersonalToken.model_validate(await self._http.post(path, ProgramTokenRequest(id=new_id())))
            if made.secret is not None:
                break
        return made

    async def end_program(self, program: str) -> None:
        """Its account is deleted for ever. Raises `Refused` for one that there is not."""
        await self._identify()
        await self._http.delete(f"/v1/me/programs/{quote(program, safe='')}")
