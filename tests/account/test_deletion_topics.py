"""What is personal stands in no topic and no log line; what others may see of somebody ends with a tombstone."""

import logging
import secrets

import pytest
from aiokafka.admin import AIOKafkaAdminClient
from tests.account.letterbox import Letterbox
from tests.account.mailing import entered_by, link_for, new_address
from tests.account.service import Service, records

EVENTS = "account.events"
ELSEWHERE = ("httpx", "httpcore", "aiokafka")
"""Loggers of this test's own client, and one whose details our processes do not log."""


async def all_topics(bootstrap: str) -> dict[str, str]:
    """Keys, values and headers of all records of each topic that is not Kafka's own."""
    admin = AIOKafkaAdminClient(bootstrap_servers=bootstrap)
    await admin.start()
    try:
        names = [name for name in await admin.list_topics() if not name.startswith("__")]
    finally:
        await admin.close()
    return {name: str(await records(bootstrap, name)) for name in names}


async def test_no_topic_and_no_log_line_has_what_is_personal(
    service: Service, letterbox: Letterbox, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    unique = secrets.token_hex(4)
    address, name, words, label = new_address(), f"Ada {unique}", f"Rude {unique}", f"phone {unique}"
    guest, lost = await service.guest(), await service.guest()
    code = await link_for(service, letterbox, address, guest.account)
    entered = [await entered_by(service, code)]
    entered.append(await entered_by(service, await link_for(service, letterbox, address, lost.account)))
    account = f"/accounts/{guest.account}"
    assert (await service.http.put(f"{account}/name", json={"name": name})).status_code == 200
    await service.renew(entered[0].secret, label=label)
    body = {"id": "1", "place": "person", "text": words, "person": lost.account}
    await service.http.post(f"{account}/reports", json=body)
    token = await service.http.post(f"{account}/tokens", json={"id": "1", "label": label, "scopes": ["play"]})
    await service.http.put(f"{account}/mutes/g-muted-{unique}")
    assert (await service.http.delete(account)).status_code == 200
    told = await service.told_of(guest.account)
    assert (told[-2] is not None and told[-2].name, told[-1]) == (name, None)

    personal = [address, words, label, f"g-muted-{unique}", code, guest.secret, lost.secret, token.json()["secret"]]
    personal += [part for each in entered for part in (each.secret, each.signed.token)]
    topics = await all_topics(service.bootstrap)
    assert [topic for topic, whole in topics.items() for text in personal if text in whole] == []
    assert [topic for topic, whole in topics.items() if name in whole] == [EVENTS]
    logged = [record.getMessage() for record in caplog.records if not record.name.startswith(ELSEWHERE)]
    assert [line for line in logged for text in (*personal, name) if text in line] == []
