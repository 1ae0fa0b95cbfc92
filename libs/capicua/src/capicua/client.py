"""The client of one account: a token, the queue, rooms, and the tables it is seated at or watches."""

from capicua.account_calls import AccountCalls
from capicua.errors import well_formed
from capicua.queue_calls import QueueCalls
from capicua.report_calls import ReportCalls
from capicua.room_calls import RoomCalls
from capicua.screen_client import ScreenClient
from capicua.token_calls import TokenCalls
from contracts.account import Language
from contracts.account_api import Access
from contracts.api import Guest, GuestRequest, Me, Replay
from contracts.room_api import Mutes, NameChosen, NameRequest


class Client(QueueCalls, RoomCalls, AccountCalls, TokenCalls, ReportCalls):
    """Use it as `async with Client(url) as client`. Connects when it is first needed and stays connected.

    `token` is that of an earlier client, or a personal token. `patience_seconds`: for how long nobody may answer before
    `Unreachable` is raised; `math.inf` never gives up. Commands are sent again with the same id until they are
    answered.

    Whatever is asked of the server raises `Refused` when it says no, which is `SignedOut` when the token is good no
    more, `Unreachable` as said above, and `Closed` once the client is closed. Arguments that no request can carry raise
    pydantic's `ValidationError`, a `ValueError`.
    """

    # ---- account

    @property
    def account(self) -> str | None:
        """The id of this account; none before the server has told it."""
        return self._http.credentials.account or self._session.account

    async def guest(
        self,
        *,
        bot: bool = False,
        language: Language = "en",
        house_key: str | None = None,
        house_bot: int | None = None,
    ) -> Guest:
        """A new guest account; programs say `bot=True`. Save the `token` of the client afterwards.

        `house_key` and `house_bot` (1 to 9999) are for the house's own bots; a wrong key is `Refused` as
        `wrong-house-key`.
        """
        request = GuestRequest(bot=bot, language=language, house_key=house_key, house_bot=house_bot)
        guest = Guest.model_validate(await self._http.post_as_nobody("/v1/guests", request))
        match guest:
            case Guest(secret=str(secret), session=str(session), seconds=int(seconds)):
                access = Access(account=guest.account, session=session, token=guest.token, seconds=seconds)
                self._http.credentials.take(secret, access)
            case _:
                self._http.credentials.hold(guest.token)
        self._session.account = guest.account
        return guest

    async def me(self) -> Me:
        """The account, whether it is a bot's, the region where it queues, the running tables at which it has a seat,
        and the server's time in ms. Raises `SignedOut` for one that is not known any more."""
        me = Me.model_validate(await self._http.get("/v1/me"))
        self._session.account = me.account
        return me

    async def name(self) -> str:
        """How others see this account: the name that it has chosen, or one made from the account."""
        await self._identify()
        return NameChosen.model_validate(await self._http.get("/v1/me/name")).name

    async def set_name(self, name: str) -> str:
        """How others see this account; 1 to 24 characters. Returns what they see: the name without what could deceive.
        Raises `Refused`, such as `bad-name` when nothing is left of it."""
        with well_formed("bad-request"):
            request = NameRequest(name=name)
        await self._identify()
        return NameChosen.model_validate(await self._http.put("/v1/me/name", request)).name

    async def mute(self, account: str, muted: bool = True) -> None:
        """Nothing that this person says is heard any more, or it is heard again; nobody is told of it. Raises
        `Refused`, such as `too-many-mutes` after two hundred."""
        await self._identify()
        path = f"/v1/me/mutes/{account}"
        await (self._http.put(path) if muted else self._http.delete(path))

    async def mutes(self) -> dict[str, str]:
        """Whom this account has muted: their names, by account."""
        await self._identify()
        muted = Mutes.model_validate(await self._http.get("/v1/me/mutes"))
        return {account: muted.names.get(account, account) for account in muted.accounts}

    # ---- tables

    async def replay(self, table_id: str) -> Replay:
        """A finished match with all its events; for those who played in it. Raises `Refused`, such as `not-finished`,
        `not-a-participant` or `unknown-table`."""
        return Replay.model_validate(await self._http.get(f"/v1/tables/{table_id}/replay"))

    # ---- screens

    def screen(self, code: str | None = None) -> ScreenClient:
        """A new screen of the same server, for a private room or still to be paired; a client of its own."""
        return ScreenClient(self.address.url, code=code, patience_seconds=self.patience_seconds)

    async def _become_known(self) -> None:
        await self.guest()
