"""Text with the escape sequences that Godwit colors its output with, as lines of colored pieces."""

from __future__ import annotations

import re
from typing import NamedTuple

#: Names of Sources/GodwitRender/Text/TextStyle.swift, `Paint`, by their number in an escape sequence.
STYLES = {"0": "plain", "1": "strong", "2": "faint", "31": "bad", "32": "good", "33": "caution", "36": "pointer"}
SEQUENCE = re.compile(r"\x1b\[([0-9;]*)m")
CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")


class Piece(NamedTuple):
    """Text of one style in a line."""

    column: int
    """The number of columns before it."""
    text: str
    style: str


def plain(output: str) -> str:
    """An output without its colors."""
    return SEQUENCE.sub("", output)


def lines(output: str) -> list[list[Piece]]:
    """The lines of an output; ValueError if it has a control sequence that is not a known style."""
    return [_pieces(line) for line in output.removesuffix("\n").split("\n")]


def _pieces(line: str) -> list[Piece]:
    pieces: list[Piece] = []
    style, column = "plain", 0
    for index, part in enumerate(SEQUENCE.split(line)):
        if index % 2:
            if part not in STYLES:
                raise ValueError(f"unknown style {part!r} in {line!r}: add it to STYLES in {__name__}")
            style = STYLES[part]
        elif part:
            if CONTROL.search(part):
                raise ValueError(f"control character in {line!r}")
            pieces.append(Piece(column, part, style))
            # Godwit's own output for the sample has no character of two columns.
            column += len(part)
    return pieces
