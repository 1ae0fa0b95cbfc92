"""The end of an account."""

from fastapi import APIRouter

from account.accounts import Accounts
from account.deletion import delete_account
from bus.postgres import Database
from contracts.account_api import Deleted
from contracts.message import AccountId


def deletion_routes(database: Database, accounts: Accounts) -> APIRouter:
    routes = APIRouter(prefix="/accounts", tags=["deletion"])

    @routes.delete("/{account}")
    async def delete(account: AccountId) -> Deleted:
        """What is personal is gone when this is answered."""
        async with database.transaction() as connection:
            return await delete_account(connection, accounts, account)

    return routes
