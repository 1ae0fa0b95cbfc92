import pytest

from capicua.address import Address


@pytest.mark.parametrize(
    ("text", "socket_url", "is_loopback"),
    [
        ("http://127.0.0.1:8080/", "ws://127.0.0.1:8080/v1/ws", True),
        ("https://play.example.org", "wss://play.example.org/v1/ws", False),
        ("http://[::1]:9", "ws://[::1]:9/v1/ws", True),
    ],
)
def test_the_socket_is_the_twin_of_the_address(text: str, socket_url: str, is_loopback: bool) -> None:
    address = Address.parse(text)
    assert (address.socket_url, address.is_loopback) == (socket_url, is_loopback)


@pytest.mark.parametrize(
    ("text", "is_encrypted"),
    [("http://127.0.0.1:8080", False), ("https://play.example.org", True), ("HTTPS://play.example.org", True)],
)
def test_certificates_are_read_wherever_there_are_some(text: str, is_encrypted: bool) -> None:
    assert Address.parse(text).is_encrypted is is_encrypted


@pytest.mark.parametrize(
    "text", ["127.0.0.1:8080", "ftp://there", "", "http://", "http://[::1", "http://there:65536", "http://there:0"]
)
def test_what_is_no_address_says_what_was_expected(text: str) -> None:
    with pytest.raises(ValueError, match=r"expected an address such as http://127\.0\.0\.1:8080"):
        Address.parse(text)
