"""What people say and are called, and the tokens that prove them, is in no log: a log is kept for ever. What they are
called is in `account.events` besides, from which a deletion takes it away."""

import secrets
from collections.abc import Iterable

from aiokafka import AIOKafkaConsumer, TopicPartition
from tests.gateway.rooms import do, opened, path
from tests.gateway.running import Guest

from contracts.topics import PARTITIONS_LOCAL, TOPICS, Topic

NAMES = "account.events"


async def every_record(bootstrap: str, topics: Iterable[Topic]) -> bytes:
    """Keys and values of these topics, one after the other."""
    consumer = AIOKafkaConsumer(bootstrap_servers=bootstrap, auto_offset_reset="earliest")
    await consumer.start()
    try:
        partitions = [
            TopicPartition(topic.name, partition)
            for topic in topics
            for partition in range(PARTITIONS_LOCAL if topic.partitions == "shards" else topic.partitions)
        ]
        consumer.assign(partitions)
        ends = await consumer.end_offsets(partitions)
        found: list[bytes] = []
        for partition in partitions:
            while await consumer.position(partition) < ends[partition]:
                for records in (await consumer.getmany(timeout_ms=1000)).values():
                    found += [(record.key or b"") + b" " + (record.value or b"") for record in records]
        return b"\n".join(found)
    finally:
        await consumer.stop()


async def test_talk_names_and_tokens_are_in_no_log(three: list[Guest], kafka_bootstrap: str) -> None:
    host, friend, _ = three
    name, text = secrets.token_hex(8), secrets.token_hex(16)
    await host.http.put("/v1/me/name", json={"name": name}, headers=host.headers)
    code = await opened(host)
    await do(friend, code, type="enter-room")
    screen = (await host.http.post("/v1/screens", json={})).json()
    pairing = {"pairing": screen["pairing"]}
    await host.http.post(f"{path(code)}/screens", json=pairing, headers=host.headers)
    await host.say(type="follow-private-room", code=code)
    await host.say(type="say", code=code, text=text)
    assert (await host.hear("talk"))["text"] == text
    await do(host, code, type="start-match")
    table_id = (await host.hear("your-table"))["table_id"]
    for guest in (host, friend):
        await guest.command(table_id, {"type": "sit"})

    logged = await every_record(kafka_bootstrap, [topic for topic in TOPICS if topic.name != NAMES])
    told = await every_record(kafka_bootstrap, [topic for topic in TOPICS if topic.name == NAMES])
    assert host.account.encode() in logged
    assert table_id.encode() in logged
    assert name.encode() in told
    secret = [text, screen["pairing"], screen["token"], *(guest.token for guest in three)]
    assert [each for each in [name, *secret] if each.encode() in logged] == []
    assert [each for each in secret if each.encode() in told] == []
