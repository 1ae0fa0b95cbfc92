import pytest
from starlette.requests import HTTPConnection

from gateway.client_address import ClientAddress


def address(host: str | None, *forwarded: str, proxies: int = 0) -> str:
    headers = [(b"x-forwarded-for", line.encode()) for line in forwarded]
    client = (host, 1234) if host is not None else None
    return ClientAddress(proxies).of(HTTPConnection({"type": "http", "client": client, "headers": headers}))


def test_without_proxies_of_ours_the_other_end_of_the_connection_counts_and_nobodys_word() -> None:
    assert address("192.0.2.7") == "192.0.2.7"
    assert address("192.0.2.7", "198.51.100.1") == "192.0.2.7"


def test_behind_a_proxy_its_own_word_counts_and_not_what_the_client_wrote_before_it() -> None:
    assert address("10.0.0.1", "198.51.100.1", proxies=1) == "198.51.100.1"
    assert address("10.0.0.1", "a lie, 198.51.100.1", proxies=1) == "198.51.100.1"
    assert address("10.0.0.1", "a lie", "198.51.100.1", proxies=1) == "198.51.100.1"
    assert address("10.0.0.1", "a lie, 198.51.100.1, 10.0.0.2", proxies=2) == "198.51.100.1"


def test_a_port_that_a_proxy_writes_does_not_make_its_clients_uncounted() -> None:
    assert address("10.0.0.1", "198.51.100.1:4711", proxies=1) == "198.51.100.1"
    assert address("10.0.0.1", "[2001:db8:1:2::9]:4711", proxies=1) == "2001:db8:1:2::/64"
    assert address("10.0.0.1", "[2001:db8:1:2::9]", proxies=1) == "2001:db8:1:2::/64"
    assert address("10.0.0.1", "a lie:1", proxies=1) == ""


def test_who_comes_past_the_proxies_counts_by_the_connection() -> None:
    assert address("10.0.0.1", proxies=1) == "10.0.0.1"
    assert address("10.0.0.1", "198.51.100.1", proxies=2) == "10.0.0.1"


@pytest.mark.parametrize(
    ("host", "counted"),
    [
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::9", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("a path of a socket", ""),
        (None, ""),
    ],
)
def test_addresses_that_are_had_by_the_billion_count_as_one(host: str | None, counted: str) -> None:
    assert address(host) == counted
