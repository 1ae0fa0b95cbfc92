import pytest

from account.mail_address import MailAddress, read_address
from account.refusals import Code, Refused


def test_every_way_of_writing_an_address_has_one_key() -> None:
    written = ["ada@example.org", "Ada@Example.ORG", "  ADA@example.org\n"]
    assert {read_address(text).key for text in written} == {"ada@example.org"}


def test_what_may_be_another_mailbox_has_another_key() -> None:
    written = ["ada@example.org", "ada+dominoes@example.org", "a.da@example.org"]
    assert len({read_address(text).key for text in written}) == 3


@pytest.mark.parametrize("text", ["ada@example.org", "Ada+dominoes@example.org", "a.d.a+1+2@EXAMPLE.org"])
def test_what_may_reach_the_same_mailbox_is_counted_as_one(text: str) -> None:
    assert read_address(text).mailbox == "ada@example.org"


def test_who_is_called_by_a_plus_alone_has_a_mailbox_too() -> None:
    assert read_address("+7@example.org").mailbox == "+7@example.org"


def test_a_domain_in_any_script_is_sent_to_in_ascii() -> None:
    assert read_address("ada@münchen.de").sent_to == "ada@xn--mnchen-3ya.de"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "@",
        "ada",
        "ada@",
        "@example.org",
        "ada@localhost",
        "ada@postgres",
        "ada@[127.0.0.1]",
        "ada@x.test",
        "a b@example.org",
        '"a b"@example.org',
        "Ada <ada@example.org>",
        "ada@example.org, eve@example.org",
        "ada@example.org\r\nBcc: eve@example.org",
        "ada\x00@example.org",
        "ada@example.org\u202e",
        "ädä@example.org",
        "=?utf-8?q?ada?=@example.org",
        "ada@" + "x" * 250 + ".org",
    ],
)
def test_what_is_no_address_is_refused_and_not_quoted(text: str) -> None:
    with pytest.raises(Refused) as refused:
        read_address(text)
    assert refused.value.code is Code.BAD_ADDRESS
    assert len(text) < 20 or text not in refused.value.expected + refused.value.got


def test_an_owner_knows_the_hidden_address_and_nobody_else_learns_it() -> None:
    assert MailAddress("ada.lovelace@example.org").hidden == "a…@example.org"


def test_an_address_that_gets_into_a_log_says_nothing() -> None:
    assert "ada" not in repr(read_address("ada@example.org"))
