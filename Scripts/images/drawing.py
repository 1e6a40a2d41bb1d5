"""A terminal as an SVG picture, in light or in dark."""

from __future__ import annotations

import html
import re
from typing import Sequence

from . import ansi
from .terminal import COLUMNS

#: By scheme: the colors of the ground, the frame and each style. Text has a contrast of 4.5 or more.
SCHEMES = {
    "light": {"ground": "#ffffff", "frame": "#d0d7de", "plain": "#1f2328", "strong": "#1f2328", "faint": "#656d76",
              "bad": "#cf222e", "good": "#1a7f37", "caution": "#9a6700", "pointer": "#0969da"},
    "dark": {"ground": "#0d1117", "frame": "#30363d", "plain": "#e6edf3", "strong": "#ffffff", "faint": "#8b949e",
             "bad": "#ff7b72", "good": "#3fb950", "caution": "#d29922", "pointer": "#58a6ff"},
}
FONT = "ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', 'Liberation Mono', monospace"
#: Pixels: the width of a column, the height of a line, and the space around the text.
ADVANCE, LINE, MARGIN = 8.4, 20, 16
DESCRIPTION = re.compile(r"<desc>(.*?)</desc>", re.DOTALL)


def terminal(output: str, title: str, scheme: str) -> str:
    """The picture of an output that may have colors."""
    colors = SCHEMES[scheme]
    lines = ansi.lines(output)
    width, height = _number(COLUMNS * ADVANCE + 2 * MARGIN), len(lines) * LINE + 2 * MARGIN
    styles = "".join(f".{style}{{fill:{colors[style]}}}" for style in ansi.STYLES.values())
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
        ' role="img" aria-labelledby="title">',
        f'<title id="title">{html.escape(title, quote=False)}</title>',
        # For those who cannot see the picture, and for the next check of it.
        f"<desc>{html.escape(ansi.plain(output), quote=False)}</desc>",
        f"<style>text{{font:14px {FONT}}}{styles}.strong{{font-weight:600}}</style>",
        f'<rect x="0.5" y="0.5" width="{_number(COLUMNS * ADVANCE + 2 * MARGIN - 1)}" height="{height - 1}" rx="8"'
        f' fill="{colors["ground"]}" stroke="{colors["frame"]}"/>',
        *(text for row, line in enumerate(lines) for text in _texts(line, row)),
        "</svg>", ""])


def shown(picture: str) -> str:
    """The text, without colors, of a picture that `terminal` made."""
    found = DESCRIPTION.search(picture)
    return html.unescape(found[1]) if found else ""


def _texts(line: Sequence[ansi.Piece], row: int) -> list[str]:
    """The words of a line, each at its column: another font's width must not move a column."""
    found = []
    for piece in line:
        column = piece.column
        for word in piece.text.split(" "):
            if word:
                x, y = _number(MARGIN + column * ADVANCE), MARGIN + row * LINE + 14
                # One character needs no length, and a sign from another font must not be stretched.
                length = f' textLength="{_number(len(word) * ADVANCE)}"' if len(word) > 1 else ""
                found.append(f'<text class="{piece.style}" x="{x}" y="{y}"{length}'
                             + (' lengthAdjust="spacingAndGlyphs"' if length else "")
                             + f">{html.escape(word, quote=False)}</text>")
            column += len(word) + 1
    return found


def _number(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")
