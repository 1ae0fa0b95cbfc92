"""Makes the secrets of a new installation: `python -m deploy.new_secrets | kubectl apply -f -`, once per cluster.

Every run makes new ones. A new signing key ends every session; new passwords of Valkey want its pod, the gateways and
the projector restarted. Kafka's passwords are made by its user operator.
"""

import secrets
import sys
from hashlib import sha256
from typing import Any

import yaml

NAMESPACE = "capicua"
ADDRESS = "valkey:6379"
# The projector writes by a script that looks before it writes; gateways only ever read tables, and say who is where.
# What people are called and say, wrong codes, and screens are the gateways' own.
RIGHTS = {
    "projector": "~table:* ~finished:* ~capicua:cache +get +set +getrange +eval +evalsha +script|load"
    " +zadd +zremrangebyrank +expire",
    "gateway": "%R~table:* %R~finished:* ~presence:* +get +zrevrange"
    " +zadd +zrem +zcard +zremrangebyscore +hset +hdel +hgetall +pexpire"
    " ~name:* ~mutes:* ~talk:* ~said:* ~codes:* ~screen:* ~screens-of:* ~pairing:* &bell:*"
    " +mget +set +del +smembers +sismember +scard +sadd +srem +zcount +zscore +expire +time"
    " +xadd +xtrim +xrange +xrevrange +publish +subscribe +unsubscribe +eval +evalsha +script|load",
}
EVERYBODY = "+ping +hello +client|setinfo"


def main() -> None:
    yaml.safe_dump_all(manifests(), sys.stdout, sort_keys=False)


def manifests() -> list[dict[str, Any]]:
    """The Secrets `keys` and `valkey`, with fresh random values."""
    passwords = {user: secrets.token_urlsafe(32) for user in RIGHTS}
    urls = {f"{user}-url": f"redis://{user}:{password}@{ADDRESS}" for user, password in passwords.items()}
    return [
        _secret("keys", {"signing-key": secrets.token_hex(32), "house-key": secrets.token_hex(32)}),
        _secret("valkey", {"users.acl": users_acl(passwords), **urls}),
    ]


def users_acl(passwords: dict[str, str]) -> str:
    """Valkey's list of users; it holds hashes only. Whoever gives no name may ask whether the server is alive."""
    lines = ["user default on nopass resetkeys resetchannels -@all +ping"]
    for user, password in passwords.items():
        hashed = sha256(password.encode()).hexdigest()
        lines.append(f"user {user} on #{hashed} resetkeys resetchannels -@all {EVERYBODY} {RIGHTS[user]}")
    return "\n".join(lines) + "\n"


def _secret(name: str, values: dict[str, str]) -> dict[str, Any]:
    return {
        "apiVersion": "v1",
        "kind": "Secret",
        "metadata": {"name": name, "namespace": NAMESPACE},
        "type": "Opaque",
        "stringData": values,
    }


if __name__ == "__main__":
    main()
