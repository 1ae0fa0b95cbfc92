"""Personal tokens and declared programs."""

from fastapi import APIRouter

from account.tokens import Tokens
from bus.postgres import Database
from contracts.account import SessionId
from contracts.account_api import PersonalToken, PersonalTokens, Program
from contracts.account_inner import MakeProgram, MakeToken, ReplaceProgramToken
from contracts.message import AccountId


def token_routes(database: Database, tokens: Tokens) -> APIRouter:
    routes = APIRouter()

    @routes.get("/accounts/{account}/tokens")
    async def tokens_of(account: AccountId) -> PersonalTokens:
        async with database.transaction() as connection:
            return await tokens.of(connection, account)

    @routes.post("/accounts/{account}/tokens", status_code=201)
    async def make_token(account: AccountId, wanted: MakeToken) -> PersonalToken:
        async with database.transaction() as connection:
            return await tokens.make(connection, account, wanted)

    @routes.delete("/accounts/{account}/tokens/{token}", status_code=204)
    async def end_token(account: AccountId, token: SessionId) -> None:
        async with database.transaction() as connection:
            await tokens.end(connection, account, token)

    @routes.post("/accounts/{account}/programs", status_code=201)
    async def declare_program(account: AccountId, wanted: MakeProgram) -> Program:
        async with database.transaction() as connection:
            return await tokens.declare(connection, account, wanted)

    @routes.post("/accounts/{account}/programs/{program}/token", status_code=201)
    async def replace_program_token(
        account: AccountId, program: AccountId, wanted: ReplaceProgramToken
    ) -> PersonalToken:
        async with database.transaction() as connection:
            return await tokens.replace(connection, account, program, wanted)

    @routes.delete("/accounts/{account}/programs/{program}", status_code=204)
    async def end_program(account: AccountId, program: AccountId) -> None:
        async with database.transaction() as connection:
            await tokens.end_program(connection, account, program)

    return routes
