"""The one list of processes that make up the product, beside the servers they need."""

from dataclasses import dataclass
from enum import Enum


class Need(Enum):
    """A server that a process depends on; the value is the environment variable that carries its address."""

    KAFKA = "KAFKA_BOOTSTRAP"
    VALKEY = "REDIS_URL"
    POSTGRES = "POSTGRES_DSN"
    MAIL = "SMTP_URL"


@dataclass(frozen=True)
class Process:
    """``python -m module``; ``keys`` are the secrets that it may know, and the public keys, by environment
    variable.

    Every one serves ``/started``, ``/live``, ``/ready`` and ``/metrics`` at ``CAPICUA_HEALTH_PORT``.
    """

    name: str
    module: str
    needs: tuple[Need, ...]
    keys: tuple[str, ...] = ()


SIGNING_KEY = "CAPICUA_SIGNING_KEY"
HOUSE_KEY = "CAPICUA_HOUSE_KEY"
INNER_KEY = "CAPICUA_INNER_KEY"
ACCOUNT_KEY = "CAPICUA_ACCOUNT_KEY"
ACCOUNT_PUBLIC_KEY = "CAPICUA_ACCOUNT_PUBLIC_KEY"
"""No secret: follows from the account key, which the account service has alone."""

PROCESSES = (
    Process("table", "table", needs=(Need.KAFKA,)),
    Process("table-projector", "table.projector", needs=(Need.KAFKA, Need.VALKEY)),
    Process("lobby", "lobby", needs=(Need.KAFKA,)),
    Process("timer", "timer", needs=(Need.KAFKA,)),
    Process("account", "account", needs=(Need.KAFKA, Need.POSTGRES, Need.MAIL), keys=(ACCOUNT_KEY, INNER_KEY)),
    Process(
        "gateway",
        "gateway",
        needs=(Need.KAFKA, Need.VALKEY),
        keys=(SIGNING_KEY, HOUSE_KEY, INNER_KEY, ACCOUNT_PUBLIC_KEY),
    ),
    Process("bots", "bots", needs=(), keys=(HOUSE_KEY,)),
)
