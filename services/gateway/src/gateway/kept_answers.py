"""Answers that are given again to who asks again under the same key: kept in Valkey for a day, and sealed.

Nobody who reads the cache learns a token, a key or what was asked: names and digests are keyed hashes (HMAC-SHA-256),
and an answer is encrypted (AES-256-GCM) with a key that is made of the gateways' own and the client's.
"""

import hmac
import secrets
from typing import Any, NamedTuple

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from pydantic import BaseModel
from redis.asyncio import Redis

from bus.clock import Clock
from gateway.valkey import answering

KEPT_SECONDS = 24 * 60 * 60
UNDER_WAY_SECONDS = 60
"""After that whoever was at work on it is gone, and it may be tried again."""
ANSWER_SECONDS_MAX = 1.0
NONCE_BYTES = 12
DIGEST_BYTES = 32


class KeepingUnavailable(Exception):
    """Valkey does not answer: whether this has been asked before is not known."""


class UnderWay(Exception):
    """The same request is being answered just now."""


class OtherRequest(Exception):
    """Something else was asked under this key."""


class KeptAnswer(BaseModel):
    """`at`: when it was made, in ms."""

    status: int
    content_type: str
    body: str
    at: int


class Question(NamedTuple):
    """What is asked, by whom (`asker`), at which method and path (`where`), under the client's `key`."""

    asker: str
    where: str
    key: str
    body: bytes


class KeptAnswers:
    """`secret` is the gateways' own: with another one nothing that was kept can be found or read."""

    def __init__(self, redis: Redis, secret: bytes, clock: Clock) -> None:
        self._redis: Any = redis
        self._secret = secret
        self._clock = clock

    async def begin(self, question: Question) -> KeptAnswer | None:
        """The answer that was given before; none: it is the asker's to answer now, and others are told `UnderWay`.
        Raises `UnderWay`, `OtherRequest` or `KeepingUnavailable`."""
        name, digest = self._name(question), self._hash("body", question.body)
        async with answering(ANSWER_SECONDS_MAX, "answers cannot be kept", KeepingUnavailable):
            found: bytes | None = await self._redis.set(name, digest, nx=True, get=True, ex=UNDER_WAY_SECONDS)
        if found is None:
            return None
        if found[:DIGEST_BYTES] != digest:
            raise OtherRequest
        if len(found) == DIGEST_BYTES:
            raise UnderWay
        return self._open(question, found[DIGEST_BYTES:])

    async def keep(
        self, question: Question, status: int, content_type: str, body: bytes, seconds: int = KEPT_SECONDS
    ) -> None:
        """For so long. Raises `KeepingUnavailable`."""
        answer = KeptAnswer(status=status, content_type=content_type, body=body.decode(), at=self._clock.wall())
        nonce = secrets.token_bytes(NONCE_BYTES)
        sealed = AESGCM(self._seal(question)).encrypt(nonce, answer.model_dump_json().encode(), None)
        value = self._hash("body", question.body) + nonce + sealed
        async with answering(ANSWER_SECONDS_MAX, "answers cannot be kept", KeepingUnavailable):
            await self._redis.set(self._name(question), value, ex=seconds)

    async def forget(self, question: Question) -> None:
        """Nothing was done: it may be asked again. Raises `KeepingUnavailable`."""
        async with answering(ANSWER_SECONDS_MAX, "answers cannot be kept", KeepingUnavailable):
            await self._redis.delete(self._name(question))

    def age(self, answer: KeptAnswer) -> int:
        """In seconds."""
        return max(0, self._clock.wall() - answer.at) // 1000

    def _open(self, question: Question, sealed: bytes) -> KeptAnswer:
        try:
            text = AESGCM(self._seal(question)).decrypt(sealed[:NONCE_BYTES], sealed[NONCE_BYTES:], None)
        except InvalidTag:  # somebody else has written there
            raise KeepingUnavailable from None
        return KeptAnswer.model_validate_json(text)

    def _name(self, question: Question) -> str:
        return f"kept:{self._hash('name', *_who(question)).hex()}"

    def _seal(self, question: Question) -> bytes:
        return self._hash("seal", *_who(question))

    def _hash(self, purpose: str, *parts: bytes) -> bytes:
        sizes = b"".join(len(part).to_bytes(4) for part in parts)
        return hmac.digest(self._secret, b"\0".join([b"kept", purpose.encode(), sizes, *parts]), "sha256")


def _who(question: Question) -> tuple[bytes, ...]:
    return question.asker.encode(), question.where.encode(), question.key.encode()
