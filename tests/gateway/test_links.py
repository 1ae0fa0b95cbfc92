import pytest
from starlette.requests import HTTPConnection

from gateway.links import Links
from gateway.problems import ProblemError

PUBLIC = Links("https://capicua.example")


def asked(host: str) -> HTTPConnection:
    return HTTPConnection(
        {
            "type": "http",
            "scheme": "http",
            "server": ("10.0.0.1", 8080),
            "path": "/v1/mail",
            "headers": [(b"host", host.encode())],
        }
    )


def test_links_begin_with_the_public_address_whatever_was_asked_for() -> None:
    assert PUBLIC.base(asked("evil.example")) == "https://capicua.example"
    assert PUBLIC.certain(asked("evil.example")) == "https://capicua.example"


def test_whoever_asks_gets_back_the_address_by_which_they_came() -> None:
    assert Links().base(asked("192.168.0.7:8080")) == "http://192.168.0.7:8080"


@pytest.mark.parametrize(
    "host", ["evil.example", "127.0.0.1.evil.example", "localhost.evil.example", "192.168.0.7:8080"]
)
def test_nobody_elses_link_begins_with_a_host_that_a_request_has_named(host: str) -> None:
    assert Links().certain(asked(host)) is None


@pytest.mark.parametrize("host", ["127.0.0.1:8080", "localhost:8080", "[::1]:8080"])
def test_on_this_machine_a_link_leads_to_this_machine(host: str) -> None:
    assert Links().certain(asked(host)) == f"http://{host}"


def test_a_host_that_no_link_has_room_for_is_refused() -> None:
    with pytest.raises(ProblemError):
        Links().base(asked("x" * 300 + ".example"))
