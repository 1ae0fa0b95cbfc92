"""Tokens that prove nothing: made from a good one, with keys that belong to nobody, to somebody else, or to the product
itself, for what only it may sign."""

import base64
import hashlib
import hmac
import json
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import jwt
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, generate_private_key
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.rsa import generate_private_key as generate_rsa_key
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

Claims = Mapping[str, Any]
TEN_MINUTES, HOUR = 600, 3_600


@dataclass(frozen=True, slots=True)
class Forger:
    """`token` is somebody's good one, `other` somebody else's; `account_key` signs all such, `signing_key` screens'."""

    token: str
    other: str
    account_key: bytes
    signing_key: bytes

    def forged(self) -> Iterator[tuple[str, str]]:
        """Each with what is wrong about it."""
        yield from self._torn()
        yield from self._by_other_algorithms()
        yield from self._by_other_keys()
        yield from self._with_other_claims()

    @property
    def _claims(self) -> Claims:
        claims: Claims = jwt.decode(self.token, options={"verify_signature": False})
        return claims

    @property
    def _private(self) -> Ed25519PrivateKey:
        return Ed25519PrivateKey.from_private_bytes(self.account_key)

    def _torn(self) -> Iterator[tuple[str, str]]:
        head, body, signature = self.token.split(".")
        _, other_body, other_signature = self.other.split(".")
        yield "another's claims", f"{head}.{other_body}.{signature}"
        yield "another's signature", f"{head}.{body}.{other_signature}"
        yield "no signature", f"{head}.{body}."
        yield "half a signature", f"{head}.{body}.{signature[: len(signature) // 2]}"
        yield "a longer signature", f"{head}.{body}.{signature}AAAA"
        yield "a part too many", f"{self.token}.{signature}"
        yield "a part too few", f"{head}.{body}"
        yield "nothing", "."
        yield "a deep head", f"{_packed(b'[' * 2_000)}.{body}.{signature}"
        yield "a deep claim", f"{head}.{_packed(b'[' * 2_000)}.{signature}"
        yield "claims that are a list", f"{head}.{_packed(b'[]')}.{signature}"
        yield "no text in its head", f"{_packed(bytes(range(128, 200)))}.{body}.{signature}"
        yield "NULs", f"{head}.{body}.{signature}\x00".replace("\x00", "%00")

    def _by_other_algorithms(self) -> Iterator[tuple[str, str]]:
        public = self._private.public_key()
        known = {
            "raw": public.public_bytes_raw(),
            "in hex": public.public_bytes_raw().hex().encode(),
            "as SSH has it": public.public_bytes(Encoding.OpenSSH, PublicFormat.OpenSSH),
            "empty": b"",
        }
        for algorithm in ("none", "None", "nOnE", "NONE"):
            yield f"the algorithm {algorithm}", f"{_head(alg=algorithm)}.{_json(self._claims)}."
        for what, key in known.items():
            for algorithm in ("HS256", "HS384", "HS512"):
                yield f"{algorithm} by the public key, {what}", _signed(self._claims, key, algorithm)
        yield "an account by the key for screens", _signed(self._claims, self.signing_key, "HS256")
        yield "ES256", jwt.encode(dict(self._claims), generate_private_key(SECP256R1()), "ES256")
        yield "RS256", jwt.encode(dict(self._claims), generate_rsa_key(65537, 2048), "RS256")
        for head in (
            {"alg": ["EdDSA"]},
            {"alg": None},
            {},
            {"alg": "EdDSA", "crit": ["x"]},
            {"alg": "EdDSA", "b64": False},
        ):
            message = f"{_json({'typ': 'JWT', **head})}.{_json(self._claims)}"
            yield f"the head {head}", f"{message}.{_packed(self._private.sign(message.encode()))}"

    def _by_other_keys(self) -> Iterator[tuple[str, str]]:
        stranger = Ed25519PrivateKey.generate()
        known = stranger.public_key().public_bytes_raw()
        jwk = {"kty": "OKP", "crv": "Ed25519", "x": _packed(known)}
        for head in (
            {},
            {"jwk": jwk},
            {"jku": "http://127.0.0.1:1/keys"},
            {"kid": "../../../dev/null"},
            {"x5u": "file:///"},
        ):
            yield f"a stranger's key, {head}", jwt.encode(dict(self._claims), stranger, "EdDSA", dict(head))

    def _with_other_claims(self) -> Iterator[tuple[str, str]]:
        now = time.time()
        changed: dict[str, Claims] = {
            "expired": {"iat": now - HOUR, "exp": now - HOUR + TEN_MINUTES},
            "good for too long": {"iat": now, "exp": now + HOUR},
            "good for ever": {"exp": 10**12},
            "from the day after tomorrow": {"iat": now + 48 * HOUR, "exp": now + 48 * HOUR + TEN_MINUTES},
            "not good yet": {"nbf": now + HOUR},
            "of another issuer": {"iss": "somebody"},
            "without a name": {"sub": ""},
            "with a number for a name": {"sub": 7},
            "with a path for a name": {"sub": "../admin"},
            "with a list of sessions": {"sid": ["a" * 32]},
            "with a time that is none": {"exp": "tomorrow"},
        }
        for what, claims in changed.items():
            yield what, jwt.encode({**self._claims, **claims}, self._private, "EdDSA")
        for name in ("sub", "sid", "region", "iat", "exp", "iss"):
            left = {key: value for key, value in self._claims.items() if key != name}
            yield f"without {name}", jwt.encode(left, self._private, "EdDSA")
        screen = {"sub": "s1", "region": "eu", "role": "screen", "exp": now - HOUR, "iat": now - 2 * HOUR}
        yield "an expired screen", _signed(screen, self.signing_key, "HS256")
        yield (
            "a screen of another role",
            _signed({**screen, "exp": now + HOUR, "role": "person"}, self.signing_key, "HS256"),
        )


def _packed(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def _json(value: Any) -> str:
    return _packed(json.dumps(value).encode())


def _head(**fields: Any) -> str:
    return _json({"typ": "JWT", **fields})


def _signed(claims: Claims, key: bytes, algorithm: str) -> str:
    """By hand: the library refuses keys that are somebody's public one, as it should."""
    message = f"{_head(alg=algorithm)}.{_json(claims)}"
    digest = {"HS256": hashlib.sha256, "HS384": hashlib.sha384, "HS512": hashlib.sha512}[algorithm]
    return f"{message}.{_packed(hmac.new(key, message.encode(), digest).digest())}"
