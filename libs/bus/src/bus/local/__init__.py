"""Kafka, PostgreSQL, Valkey and a mail server for one machine: for ``capicua up`` and for tests.

Real servers, never stand-ins. Each is found in this order: an address in the environment
(``KAFKA_BOOTSTRAP``, ``POSTGRES_DSN``, ``REDIS_URL``, ``SMTP_URL``), a container when ``CAPICUA_DOCKER=1``, or a
process started here from Python wheels (and, for Kafka, jars whose hashes are pinned in ``jgo.lock.toml``).
"""

from bus.local.home import Home
from bus.local.server import LocalError, Server
from bus.local.start import start_kafka, start_mail, start_postgres, start_valkey

__all__ = ["Home", "LocalError", "Server", "start_kafka", "start_mail", "start_postgres", "start_valkey"]
