"""A simple way to choose: enough for a bot's first day."""

from capicua.view import TableView


def heaviest(view: TableView) -> str:
    """The first legal action: the server lists the heaviest tile first. The view must show the own turn."""
    return view.legal[0]
