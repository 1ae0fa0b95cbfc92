"""Mail addresses: one form of each, by which two that reach the same mailbox are the same."""

from dataclasses import dataclass
from email.headerregistry import Address

from email_validator import validate_email

from account.refusals import Code, Refused


@dataclass(frozen=True, slots=True)
class MailAddress:
    """`sent_to`: as a mail server wants it, in ASCII. `key`: the same for every way of writing it. Nearly every server
    takes big and small letters for the same; dots and what comes after a plus mean something to some, and stay."""

    sent_to: str

    @property
    def key(self) -> str:
        return self.sent_to.lower()

    @property
    def mailbox(self) -> str:
        """Where all that is written so may arrive: for what is counted, as nobody's mailbox is to be filled by
        spellings without end."""
        name, _, domain = self.key.rpartition("@")
        return f"{name.partition('+')[0].replace('.', '') or name}@{domain}"

    @property
    def hidden(self) -> str:
        """Enough for its owner to know it again: `a…@example.org`."""
        name, _, domain = self.sent_to.rpartition("@")
        return f"{name[0]}…@{domain}"

    def __repr__(self) -> str:
        return "MailAddress(…)"


def read_address(text: str) -> MailAddress:
    """Raises `Refused`. Whether the domain takes mail is not looked up: who asks would wait for somebody else."""
    try:
        checked = validate_email(text.strip(), check_deliverability=False, allow_smtputf8=False)
        Address(addr_spec=checked.ascii_email)  # no header has room for what looks like an encoded word (RFC 2047)
    except ValueError:
        expected = "a mail address such as name@example.org, in ASCII letters before the @"
        raise Refused(Code.BAD_ADDRESS, "address", expected, "something else") from None
    assert checked.ascii_email is not None
    return MailAddress(checked.ascii_email)
