from bus.postgres import Database, Inbox
from bus.postgres.inbox import KEPT_MS
from contracts.envelope import CommandEnvelope


def command(number: str, principal: str = "gateway") -> CommandEnvelope:
    return CommandEnvelope(id=number, principal=principal, aggregate="a", command={})


async def test_a_command_is_taken_once_by_its_sender_and_id(database: Database) -> None:
    first, again, others = command("1"), command("1"), command("1", "somebody-else")
    async with database.transaction() as connection:
        assert await Inbox().take(connection, [first, again, others]) == [first, others]
    async with database.transaction() as connection:
        assert await Inbox().take(connection, [again, command("2")]) == [command("2")]


async def test_what_could_not_be_carried_out_has_not_been_taken(database: Database) -> None:
    try:
        async with database.transaction() as connection:
            await Inbox().take(connection, [command("1")])
            raise KeyError
    except KeyError:
        pass
    async with database.transaction() as connection:
        assert await Inbox().take(connection, [command("1")]) == [command("1")]


async def test_what_is_older_than_its_topic_is_forgotten(database: Database) -> None:
    async with database.transaction() as connection:
        await Inbox().take(connection, [command("old"), command("new")])
        await connection.execute("UPDATE inbox SET seen_at = seen_at - %s WHERE id = 'old'", [KEPT_MS + 1])
        await Inbox().forget_old(connection)
        assert await Inbox().take(connection, [command("old"), command("new")]) == [command("old")]
