"""HTML pages: sound, complete in themselves, and built as a screen reader needs it."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import Iterator

EMPTY = {"meta", "link", "br", "hr", "img", "input"}
ALLOWED = set(
    "a b body caption code dd details div dl dt figure figcaption footer h1 h2 h3 head header html i li main meta nav ol "
    "p path rect section span style summary svg table tbody td text th thead time title tr ul".split())
FETCHING = {"src", "srcset", "data", "poster", "action", "formaction", "background", "ping"}


class Reader(HTMLParser):
    """Follows the elements of a page and notes what is wrong."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.problems: list[str] = []
        self.identifiers: list[str] = []
        self.references: list[str] = []
        self.headings: list[int] = []
        self.landmarks: list[str] = []
        self.style = ""
        self.language = ""
        self.viewport = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag not in ALLOWED:
            self.problems.append(f"has an element {tag}")
        for name, value in given.items():
            if name.startswith("on") or name in FETCHING or "javascript:" in value.lower():
                self.problems.append(f"has an attribute {name} at {tag}")
        if "href" in given:
            if not given["href"].startswith("#"):
                self.problems.append("has a link that leads elsewhere")
            self.references.append(given["href"][1:])
        self.references += given.get("aria-labelledby", "").split()
        if "id" in given:
            self.identifiers.append(given["id"])
        if tag == "html":
            self.language = given.get("lang", "")
        if tag == "meta" and given.get("name") == "viewport":
            self.viewport = "width=device-width" in given.get("content", "")
        if re.fullmatch("h[1-6]", tag):
            self.headings.append(int(tag[1]))
        if tag in ("header", "nav", "main", "footer") and "svg" not in self.open:
            self.landmarks.append(tag)
        if tag == "svg" and not (given.get("aria-hidden") or given.get("aria-label") or given.get("aria-labelledby")):
            self.problems.append("has a picture without a text")
        if tag not in EMPTY:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in EMPTY:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open[-1] != tag:
            self.problems.append(f"closes {tag} where {self.open[-1:] or 'nothing'} is open")
        if tag in self.open:
            while self.open.pop() != tag:
                pass

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] == "style":
            self.style += data


def problems(content: bytes) -> Iterator[str]:
    """What is wrong with a page."""
    text = content.decode("utf-8")
    reader = Reader()
    reader.feed(text)
    reader.close()
    yield from reader.problems
    if reader.open:
        yield f"leaves {reader.open} open"
    if not text.startswith("<!DOCTYPE html>\n") or reader.language != "en" or not reader.viewport:
        yield "lacks its type, its language or its viewport"
    if len(set(reader.identifiers)) != len(reader.identifiers):
        yield "has an identifier twice"
    if set(reader.references) - set(reader.identifiers):
        yield "refers to an identifier that is not there"
    if [mark for mark in reader.landmarks if mark != "nav"] != ["header", "main", "footer"]:
        yield f"has the landmarks {reader.landmarks}"
    steps = zip([0, *reader.headings], reader.headings)
    if reader.headings.count(1) != 1 or any(after - before > 1 for before, after in steps):
        yield f"has headings of the levels {reader.headings}"
    if "@import" in reader.style or "url(" in reader.style:
        yield "has a style sheet that loads something"
    if any(ord(c) < 0x20 and c != "\n" or 0x7F <= ord(c) <= 0x9F or 0x202A <= ord(c) <= 0x202E for c in text):
        yield "has a control character"
