"""Matches come into the archive that the account service has made."""

import io
import json
import zipfile

from contracts.queue_api import FinishedTable
from contracts.table import Reservation
from gateway.export import MATCHES, with_matches


def test_each_match_is_there_with_where_it_can_be_had_whole() -> None:
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as files:
        files.writestr("README.txt", "Your account")
    seats = tuple(Reservation(account=account) for account in ("g1", "g2"))
    table = FinishedTable(table_id="t1", region="eu", at=1_000, seats=seats, winners=("g2",), scores=(40, 100))
    with zipfile.ZipFile(io.BytesIO(with_matches(archive.getvalue(), [table]))) as files:
        assert files.testzip() is None
        assert files.read("README.txt") == b"Your account"
        (match,) = json.loads(files.read(MATCHES))
    assert (match["table_id"], match["replay"], match["scores"]) == ("t1", "/v1/tables/t1/replay", [40, 100])
    assert [seat["account"] for seat in match["seats"]] == ["g1", "g2"]
