import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from hypothesis import given
from hypothesis import strategies as st

from account.signing import ALGORITHM, ISSUER, TOKEN_SECONDS, Signer

SIGNER = Signer(bytes(range(32)))
PUBLIC_KEY = Ed25519PublicKey.from_public_bytes(SIGNER.public_key)
LONG_FROM_NOW = 4_000_000_000_123


def test_a_token_is_signed_with_ed25519_and_says_by_which_key() -> None:
    token = SIGNER.sign("gada", "session", LONG_FROM_NOW, region="eu")
    header = jwt.get_unverified_header(token)
    assert header["alg"] == ALGORITHM == "EdDSA"
    assert header["kid"] != jwt.get_unverified_header(Signer(bytes(32)).sign("g", "s", 1, region="eu"))["kid"]
    with pytest.raises(jwt.InvalidSignatureError):
        jwt.decode(token, Ed25519PublicKey.from_public_bytes(Signer(bytes(32)).public_key), [ALGORITHM])


def test_scopes_stand_in_the_tokens_of_personal_tokens_alone() -> None:
    tokens = [SIGNER.sign("g", "s", LONG_FROM_NOW, region="eu", scopes=scopes) for scopes in (None, ("play",))]
    without, with_scopes = [
        jwt.decode(token, PUBLIC_KEY, [ALGORITHM], options={"verify_iat": False}, issuer=ISSUER) for token in tokens
    ]
    assert "scopes" not in without
    assert with_scopes["scopes"] == ["play"]


@given(st.integers(1, 2**43))
def test_a_token_is_never_good_for_longer_than_ten_minutes_and_tells_the_millisecond(now: int) -> None:
    claims = jwt.decode(SIGNER.sign("g", "s", now, region="eu"), options={"verify_signature": False})
    assert TOKEN_SECONDS - 1 <= claims["exp"] - claims["iat"] <= TOKEN_SECONDS
    assert round(claims["iat"] * 1000) == now
