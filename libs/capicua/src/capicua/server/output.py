"""Printing where nobody may be reading any more, as behind a pipe into `head`."""

import os
import sys

import typer

OUTPUT_CLOSED = 141
"""As of a program that SIGPIPE ended: whoever read the output had enough, and nothing is known about the log."""


class OutputClosed(Exception):
    """Nobody reads what is printed any more. No `OSError`, as one is that a broker's connection raises."""


def say(text: str) -> None:
    """Raises `OutputClosed`."""
    try:
        typer.echo(text)
    except BrokenPipeError:
        raise OutputClosed from None


def output_closed() -> int:
    """The exit status; what is still buffered goes nowhere, so that flushing it at the exit says nothing."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return OUTPUT_CLOSED


def printable(text: str) -> str:
    """Names out of a log may be a stranger's."""
    return "".join(letter if letter.isprintable() else "?" for letter in text)
