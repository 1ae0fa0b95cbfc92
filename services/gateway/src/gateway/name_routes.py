"""One's own name, and whose talk one does not want to hear."""

from typing import Annotated

from fastapi import APIRouter, Path

from contracts.message import AccountId
from contracts.names import fallback_name
from contracts.room_api import Mutes as Muted
from contracts.room_api import NameChosen, NameRequest
from gateway.account_service import AccountService
from gateway.codes import Code
from gateway.http_identity import Asker
from gateway.limits import CHANGES, QUESTIONS, within
from gateway.mutes import Mutes, MutesUnavailable
from gateway.names import Names
from gateway.problems import ProblemError, problem

Other = Annotated[AccountId, Path(description="somebody's account")]


def name_routes(names: Names, mutes: Mutes, service: AccountService) -> APIRouter:
    routes = APIRouter(prefix="/v1/me", tags=["names and talk"])

    async def muted(accounts: frozenset[str]) -> Muted:
        await names.learn(accounts)
        found = tuple(sorted(accounts))
        return Muted(accounts=found, names={account: names.name_of(account) for account in found})

    async def tell(account: str) -> None:
        try:
            await mutes.changed(account)
        except MutesUnavailable:
            raise _unavailable("mutes") from None

    @routes.get("/name", dependencies=[within(QUESTIONS)])
    async def what_you_are_called(asker: Asker) -> NameChosen:
        """Your name as others see it."""
        await names.learn([asker.account])
        return NameChosen(name=names.name_of(asker.account))

    @routes.put("/name", dependencies=[within(CHANGES)])
    async def choose_a_name(wanted: NameRequest, asker: Asker) -> NameChosen:
        """What you are called, in 24 characters; without a name of your own you go by one made from your account."""
        state = await service.choose_name(asker.account, wanted.name)
        await names.forget([asker.account])
        return NameChosen(name=state.name or fallback_name(asker.account))

    @routes.get("/mutes", dependencies=[within(QUESTIONS)])
    async def whom_you_have_muted(asker: Asker) -> Muted:
        """The people whose talk you are not sent."""
        try:
            return await muted(await mutes.of(asker.account))
        except MutesUnavailable:
            raise _unavailable("mutes") from None

    @routes.put("/mutes/{account}", dependencies=[within(CHANGES)])
    async def mute_somebody(account: Other, asker: Asker) -> Muted:
        """You are not sent any more what this person says; nobody is told of it."""
        accounts = await service.mute(asker.account, account)
        await tell(asker.account)
        return await muted(accounts)

    @routes.delete("/mutes/{account}", dependencies=[within(CHANGES)])
    async def hear_somebody_again(account: Other, asker: Asker) -> Muted:
        """You are sent again what this person says."""
        accounts = await service.hear_again(asker.account, account)
        await tell(asker.account)
        return await muted(accounts)

    return routes


def _unavailable(what: str) -> ProblemError:
    return problem(503, Code.TALK_UNAVAILABLE, what, "a place to keep it", "no answer: try again")
