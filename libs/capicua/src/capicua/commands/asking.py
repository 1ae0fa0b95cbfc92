"""What a person is asked before something that cannot be taken back."""

import sys

import typer


def sure(question: str) -> bool:
    """Whether the person says yes. Raises `ValueError` where nobody can be asked."""
    if not sys.stdin.isatty():
        raise ValueError("expected --yes where nobody can be asked")
    return typer.confirm(question, err=True)


def repeated(question: str, expected: str) -> bool:
    """Whether the person types exactly that. Raises `ValueError` where nobody can be asked."""
    if not sys.stdin.isatty():
        raise ValueError("expected --confirm where nobody can be asked")
    answer: str = typer.prompt(question, default="", show_default=False, err=True)
    return answer.strip() == expected
