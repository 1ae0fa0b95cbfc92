"""A mistake that nothing can be done about stops the ledger before it passes a command over."""

import psycopg
import pytest
from tests.account.service import Newcomer, account_settings, running_service
from tests.bus.postgres.databases import dsn_of_a_new_database
from tests.gateway.running import free_port

from account.app import build
from bus.kafka import KafkaLog
from bus.sender import CommandSender

MISTAKE = """
CREATE FUNCTION mistake() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'a mistake'; END $$;
CREATE TRIGGER mistake BEFORE INSERT ON outbox EXECUTE FUNCTION mistake();
"""


async def test_what_can_be_neither_carried_out_nor_buried_ends_the_process_and_waits_for_the_next(
    topics: str, postgres_dsn: str
) -> None:
    dsn, newcomer = await dsn_of_a_new_database(postgres_dsn), Newcomer()
    process = build(account_settings(topics, dsn, free_port()))
    for start in process.start:
        await start()
    async with await psycopg.AsyncConnection.connect(dsn, options="-c search_path=account") as connection:
        await connection.execute(MISTAKE)
    log = KafkaLog(topics, 2000)
    sender = CommandSender(log, "account")
    await sender.start()
    await sender.send(newcomer.command())
    ledger, *_ = process.loops
    with pytest.raises(psycopg.errors.RaiseException):
        await ledger()
    for stop in (*process.stop, sender.stop, log.close):
        await stop()
    async with await psycopg.AsyncConnection.connect(dsn, options="-c search_path=account") as connection:
        await connection.execute("DROP FUNCTION mistake CASCADE")
    async with running_service(topics, dsn) as service:
        await service.until_there(newcomer)
