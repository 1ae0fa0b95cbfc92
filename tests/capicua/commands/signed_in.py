"""Who the commands about one's account are tried for, and what they may say."""

import pytest

from contracts.account_api import Profile

SECRET = "the-secret-of-a-session"
HERE, THERE = "a" * 16, "b" * 16
NOON = 1_800_000_000_000
PROFILE = Profile(account="gada", kind="guest", name="Ada\x1b[2J", avatar="6-6", language="en")
KEPT = Profile(account="gkept", kind="kept", name="Ada", avatar="6-3", language="de", mail="a…@example.org")


class Said:
    """What was printed since it was last asked for; nothing in it commands a terminal or is a secret of the session."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys

    @property
    def out(self) -> str:
        out, err = self._capsys.readouterr()
        assert "\x1b" not in out + err
        assert SECRET not in out + err
        return out
