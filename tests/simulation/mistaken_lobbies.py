"""Mistakes of the lobby that `planted` plants: who has a place already, who is matched, and where people sit."""

from typing import Any

from contracts.table import OpenTable


def any_number_of_places(refuse: Any) -> Any:
    """Whoever waits elsewhere may offer a table, or take a seat there."""

    def refused(*_: object) -> None:
        return None

    return refused


def nobody_is_matched(match_of: Any) -> Any:
    """Who comes to the queue waits, whoever waits there."""

    def matched(*_: object) -> None:
        return None

    return matched


def other_seats(on_match_made: Any) -> Any:
    """A table is opened with people in another order than the match has."""

    def opened(*arguments: Any) -> OpenTable:
        table: OpenTable = on_match_made(*arguments)
        return table.model_copy(update={"seats": table.seats[::-1]})

    return opened
