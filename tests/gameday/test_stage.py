"""What a game day puts up."""

from pathlib import Path

import pytest
from bench.gameday.stage import small_disk


@pytest.mark.parametrize(("plan", "told"), [(["table_killed"], 0), (["table_killed", "disk_full"], 1)])
def test_that_no_disk_can_be_filled_is_told_where_one_would_be(
    plan: list[str], told: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    notes: list[str] = []
    assert small_disk(plan, tmp_path / "small-disk", notes) is None
    assert notes == ["no disk was filled: no program mounts here: FileNotFoundError"] * told
