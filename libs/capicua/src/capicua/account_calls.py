"""The account, as a client calls it: its profile, its sessions, the mail address that keeps it, its end."""

from pathlib import Path
from urllib.parse import quote

from capicua.connected import Connected
from capicua.errors import well_formed
from capicua.private_file import write_private
from contracts.account import Language
from contracts.account_api import (
    Deleted,
    DeleteRequest,
    LinkRequest,
    LinkSent,
    MailRequest,
    Profile,
    ProfileRequest,
    Recovered,
    SessionLine,
    Sessions,
)


class AccountCalls(Connected):
    """What is asked about the account itself; the part of a `Client` for it."""

    # ---- profile

    async def profile(self) -> Profile:
        """Name, avatar tile, language, what kind of account it is, its programs, and the mail address that keeps it,
        with most of it hidden."""
        await self._identify()
        return Profile.model_validate(await self._http.get("/v1/me/profile"))

    async def change_profile(self, *, avatar: str | None = None, language: str | None = None) -> Profile:
        """What is given is changed: the avatar is a tile such as `6-3`, the language `en`, `de` or `pl`. The name has a
        call of its own, `set_name`."""
        with well_formed("bad-request"):
            request = ProfileRequest.model_validate({"avatar": avatar, "language": language})
        await self._identify()
        return Profile.model_validate(await self._http.patch("/v1/me/profile", request))

    # ---- sessions

    async def sessions(self) -> tuple[SessionLine, ...]:
        """Every client that is signed in to this account, the newest used first; `here` is this one."""
        await self._identify()
        return Sessions.model_validate(await self._http.get("/v1/me/sessions")).sessions

    async def end_session(self, session: str) -> None:
        """That client is signed out within seconds. Raises `Refused` for one that there is not."""
        await self._identify()
        await self._http.delete(f"/v1/me/sessions/{quote(session, safe='')}")

    async def end_all_sessions(self, *, others: bool = False) -> None:
        """Signs out everywhere, or with `others` everywhere else; personal tokens are ended one by one. Once it is done
        here too, what is asked raises `SignedOut`, and only a link by mail leads back into the account."""
        await self._identify()
        await self._http.delete(f"/v1/me/sessions{'?others=true' if others else ''}")

    # ---- mail

    async def send_link(self, address: str, language: Language = "en") -> LinkSent:
        """Mails a link there that keeps this account, or moves it to the account that has this address already. Raises
        `Refused`, such as for too many links in a short time; never tells whether the address is known."""
        with well_formed("bad-request", is_secret=True):
            request = MailRequest(address=address, language=language)
        await self._identify()
        return LinkSent.model_validate(await self._http.post("/v1/mail", request, once=True))

    async def send_recovery(self, address: str, language: Language = "en") -> LinkSent:
        """Mails a link there that recovers the account that has this address; no account is needed for it, and none
        moves there: who has played as a guest meanwhile asks by `send_link`. Raises and tells no more than that."""
        with well_formed("bad-request", is_secret=True):
            request = MailRequest(address=address, language=language)
        return LinkSent.model_validate(await self._http.post_as_nobody("/v1/mail", request, once=True))

    async def use_link(self, code: str, label: str = "") -> Recovered:
        """Uses the code of a mailed link. This client is the kept account's afterwards, by a new `token` that is to be
        saved; the guest that asked for the link, by `send_link`, has moved there. `label` names this client in the list
        of sessions.

        Raises `Refused` for a code that was used before, is too old, or never was one; and as `too-many-programs`, with
        the code still good, where the guest would bring too many along.
        """
        with well_formed("bad-request", is_secret=True):
            request = LinkRequest(code=code, label=label)
        recovered = Recovered.model_validate(await self._http.post("/v1/mail/use", request, once=True))
        self._http.credentials.take(recovered.secret, recovered.access)
        return recovered

    # ---- export and deletion

    async def export(self, path: Path) -> int:
        """Writes everything that the service knows of this account to a new zip file there, which only its user may
        read; returns its length in bytes. Raises `FileExistsError` where there is one."""
        await self._identify()
        archive = await self._http.get_bytes("/v1/me/export")
        write_private(path, archive)
        return len(archive)

    async def delete(self, confirm: str) -> Deleted:
        """Deletes the account for ever. `confirm` is its id, so that nobody does it by mistake."""
        with well_formed("bad-request"):
            request = DeleteRequest(confirm=confirm)
        await self._identify()
        return Deleted.model_validate(await self._http.delete("/v1/me", request))
