"""All that is kept about somebody."""

import asyncio

from fastapi import APIRouter, Response

from account.export import MEDIA_TYPE, archive, read_everything
from bus.postgres import Database
from contracts.message import AccountId


def export_routes(database: Database) -> APIRouter:
    routes = APIRouter(prefix="/accounts", tags=["export"])

    @routes.get("/{account}/export", response_class=Response, responses={200: {"content": {MEDIA_TYPE: {}}}})
    async def export(account: AccountId) -> Response:
        """One zip archive."""
        async with database.transaction() as connection:
            everything = await read_everything(connection, account)
        return Response(await asyncio.to_thread(archive, everything), media_type=MEDIA_TYPE)

    return routes
