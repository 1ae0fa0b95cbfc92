"""Names, profiles, and mutes."""

from fastapi import APIRouter

from account.mutes import AccountMutes
from account.profiles import Profiles
from bus.postgres import Database
from contracts.account import AccountState
from contracts.account_api import Profile
from contracts.account_inner import ChangeProfile, ChooseName, MutedAccounts, TheseAre, WhoAre
from contracts.message import AccountId


def profile_routes(database: Database, profiles: Profiles, mutes: AccountMutes) -> APIRouter:
    routes = APIRouter()

    @routes.post("/profiles")
    async def who_are(wanted: WhoAre) -> TheseAre:
        async with database.transaction() as connection:
            return await profiles.public(connection, wanted.accounts)

    @routes.put("/accounts/{account}/name")
    async def choose_name(account: AccountId, wanted: ChooseName) -> AccountState:
        async with database.transaction() as connection:
            return await profiles.choose_name(connection, account, wanted.name)

    @routes.get("/accounts/{account}")
    async def own_profile(account: AccountId) -> Profile:
        async with database.transaction() as connection:
            return await profiles.own(connection, account)

    @routes.patch("/accounts/{account}")
    async def change_profile(account: AccountId, wanted: ChangeProfile) -> Profile:
        async with database.transaction() as connection:
            return await profiles.change(connection, account, wanted)

    @routes.get("/accounts/{account}/mutes")
    async def muted(account: AccountId) -> MutedAccounts:
        async with database.transaction() as connection:
            return await mutes.of(connection, account)

    @routes.put("/accounts/{account}/mutes/{other}")
    async def mute(account: AccountId, other: AccountId) -> MutedAccounts:
        async with database.transaction() as connection:
            return await mutes.mute(connection, account, other)

    @routes.delete("/accounts/{account}/mutes/{other}")
    async def hear_again(account: AccountId, other: AccountId) -> MutedAccounts:
        async with database.transaction() as connection:
            return await mutes.hear_again(connection, account, other)

    return routes
