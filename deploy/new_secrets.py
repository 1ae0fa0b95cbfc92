"""Makes the secrets of a new installation: `python -m deploy.new_secrets | kubectl apply -f -`, once per cluster.

Every run makes new ones. A new `signing-key` sends every screen away; new passwords of Valkey want its pod, the
gateways and the projector restarted. Kafka's passwords are made by its user operator, PostgreSQL's by its own.

`python -m deploy.new_secrets account-key` makes the pair alone by which access tokens are signed and checked.
docs/OPERATIONS.md says in which order it takes the place of the one before.
"""

import secrets
import sys
from hashlib import sha256
from typing import Any

import yaml
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

ACCOUNT_KEY = "account-key"
NAMESPACE = "capicua"
ADDRESS = "valkey:6379"
# The projector writes by a script that looks before it writes; gateways only ever read tables, and say who is where.
# What people say, wrong codes, screens, how much anybody asked, answers, copies of names and mutes: gateways' own.
RIGHTS = {
    "projector": "~table:* ~finished:* ~capicua:cache +get +set +getrange +eval +evalsha +script|load"
    " +zadd +zremrangebyrank +expire",
    "gateway": "%R~table:* %R~finished:* ~presence:* +get +zrevrange"
    " +zadd +zrem +zcard +zremrangebyscore +hset +hdel +hgetall +pexpire"
    " ~name:* ~name-lease:* ~muted:* ~muted-lease:* ~merged:* ~merged-lease:* ~limit:* ~kept:*"
    " ~talk:* ~said:* ~codes:* ~screen:* ~screens-of:* ~pairing:* &bell:*"
    " +mget +set +del +zcount +zscore +expire +time"
    " +xadd +xtrim +xrange +xrevrange +publish +subscribe +unsubscribe +eval +evalsha +script|load",
}
EVERYBODY = "+ping +hello +client|setinfo"


def main(arguments: list[str]) -> int:
    if arguments not in ([], [ACCOUNT_KEY]):
        sys.stderr.write(f"expected nothing, or {ACCOUNT_KEY}, got {' '.join(arguments)}\n")
        return 2
    made = account_key() if arguments else manifests()
    yaml.safe_dump_all(made, sys.stdout, sort_keys=False)
    return 0


def manifests() -> list[dict[str, Any]]:
    """The Secrets `keys`, `valkey` and those of `account_key`, with fresh random values."""
    passwords = {user: secrets.token_urlsafe(32) for user in RIGHTS}
    urls = {f"{user}-url": f"redis://{user}:{password}@{ADDRESS}" for user, password in passwords.items()}
    return [
        _secret("keys", {f"{name}-key": secrets.token_hex(32) for name in ("signing", "house", "inner")}),
        _secret("valkey", {"users.acl": users_acl(passwords), **urls}),
        *account_key(),
    ]


def account_key() -> list[dict[str, Any]]:
    """The Secret `account-key`, which is the account service's alone, and `account-public-key` for gateways."""
    private = Ed25519PrivateKey.generate()
    return [
        _secret(ACCOUNT_KEY, {"private": private.private_bytes_raw().hex()}),
        _secret("account-public-key", {"keys": private.public_key().public_bytes_raw().hex()}),
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
    sys.exit(main(sys.argv[1:]))
