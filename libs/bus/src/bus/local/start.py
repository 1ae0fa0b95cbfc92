"""Where each server comes from: the environment, else Docker by choice, else this machine."""

import os
from collections.abc import Awaitable, Callable

from bus.local.containers import docker_wanted, kafka_container, postgres_container, valkey_container
from bus.local.health import kafka_answers, postgres_answers, valkey_answers
from bus.local.home import Home
from bus.local.kafka import start_embedded_kafka
from bus.local.mailbox import smtp_answers, start_local_mailbox
from bus.local.postgres import start_embedded_postgres
from bus.local.server import ExternalServer, LocalError, Server
from bus.local.valkey import start_embedded_valkey

_FORMS = {
    "KAFKA_BOOTSTRAP": "HOST:PORT",
    "POSTGRES_DSN": "postgresql://USER:PASSWORD@HOST:PORT/NAME",
    "REDIS_URL": "redis://HOST:PORT/NUMBER",
    "SMTP_URL": "smtp+starttls://USER:PASSWORD@HOST:PORT",
}


async def start_kafka(home: Home) -> Server:
    """A Kafka that answers; its address is a bootstrap list ``host:port``. Raises LocalError."""
    return await _start("kafka", "KAFKA_BOOTSTRAP", kafka_answers, kafka_container, start_embedded_kafka, home)


async def start_postgres(home: Home) -> Server:
    """A PostgreSQL that answers; its address is a DSN ``postgresql://…``. Raises LocalError."""
    return await _start("postgres", "POSTGRES_DSN", postgres_answers, postgres_container, start_embedded_postgres, home)


async def start_valkey(home: Home) -> Server:
    """A Valkey that answers; its address is a URL ``redis://…``. Raises LocalError."""
    return await _start("valkey", "REDIS_URL", valkey_answers, valkey_container, start_embedded_valkey, home)


async def start_mail(home: Home) -> Server:
    """A mail server that takes mail; its address is a URL ``smtp://…``. Raises LocalError.

    Without one in the environment it is a mailbox of this home, which ``capicua mail`` shows; never a container.
    """
    return await _start("mail server", "SMTP_URL", smtp_answers, start_local_mailbox, start_local_mailbox, home)


async def _start(
    name: str,
    variable: str,
    answers: Callable[[str], Awaitable[bool]],
    container: Callable[[Home], Awaitable[Server]],
    embedded: Callable[[Home], Awaitable[Server]],
    home: Home,
) -> Server:
    address = os.environ.get(variable)
    if address:
        try:
            there = await answers(address)
        except (ValueError, OverflowError, KeyError):  # not repeated in what is said: it may hold a password
            raise LocalError(f"{variable} is no address: expected one such as {_FORMS[variable]}.") from None
        if not there:
            raise LocalError(f"No {name} answers at the address in {variable}: start it, or unset {variable}.")
        return ExternalServer(name, address)
    return await (container(home) if docker_wanted() else embedded(home))
