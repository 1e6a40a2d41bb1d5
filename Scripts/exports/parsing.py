"""Strict JSON that keeps what Python's own reader loses: the offset of a value, and the text of a number."""

from __future__ import annotations

import json
import re
from typing import Any, Generator, Iterator, NamedTuple

from .errors import Invalid

TWICE = "a member is there twice in one object"
BLANKS = re.compile(r"[ \t\n\r]*")


class Written:
    """A number with its text in the document."""

    text: str

    def __new__(cls, text: str) -> Any:
        number = super().__new__(cls, text)
        number.text = text
        return number


class Whole(Written, int):
    """A number without point and exponent."""


class Real(Written, float):
    """A number with a point or an exponent."""


class Part(NamedTuple):
    """A member of an object (or, without a name, an element of a list) and the offsets of its value."""

    name: str
    value: Any
    start: int
    end: int


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise Invalid(TWICE)
    return members


def _refuse(word: str) -> Any:
    raise Invalid(f"{word} is no JSON")


_DECODER = json.JSONDecoder(
    object_pairs_hook=_unique, parse_int=Whole, parse_float=Real, parse_constant=_refuse, strict=True)


def decode(content: bytes) -> str:
    """The text of some bytes, which must be UTF-8 without a byte-order mark."""
    if content.startswith(b"\xef\xbb\xbf"):
        raise Invalid("it begins with a byte-order mark")
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Invalid(f"it is no UTF-8 at byte {error.start}") from error


def value(text: str, start: int = 0) -> tuple[Any, int]:
    """The value that begins here, and where it ends."""
    try:
        found, end = _DECODER.raw_decode(text, start)
    except (ValueError, RecursionError) as error:
        raise Invalid(f"it is no JSON: {error}") from error
    try:
        json.dumps(found, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError as error:
        raise Invalid("a string holds half of a surrogate pair") from error
    return found, end


def whole(text: str, what: str) -> Any:
    """The one value that a text holds, and nothing else but blanks."""
    found, end = value(text, _skip(text, 0))
    if _skip(text, end) != len(text):
        raise Invalid(f"something follows the end of {what}")
    return found


def members(text: str, what: str) -> Iterator[Part]:
    """The members of the object that a text holds, one by one; nothing but blanks follows it."""
    names: set[str] = set()
    end = yield from _parts(text, 0, "{}", names)
    if _skip(text, end) != len(text):
        raise Invalid(f"something follows the end of {what}")


def elements(text: str, start: int) -> Iterator[Part]:
    """The elements of the list that begins here, one by one."""
    yield from _parts(text, start, "[]", set())


def _parts(text: str, start: int, brackets: str, names: set[str]) -> Generator[Part, None, int]:
    """The parts between brackets, and then where the closing one ends."""
    at = _skip(text, _expect(text, start, brackets[0]))
    if text[at:at + 1] == brackets[1]:
        return at + 1
    while True:
        name = ""
        if brackets == "{}":
            name, at = value(text, at)
            if not isinstance(name, str):
                raise Invalid("a member's name is no string")
            if name in names:
                raise Invalid(TWICE)
            names.add(name)
            at = _skip(text, _expect(text, _skip(text, at), ":"))
        found, end = value(text, at)
        yield Part(name, found, at, end)
        at = _skip(text, end)
        if text[at:at + 1] == brackets[1]:
            return at + 1
        at = _skip(text, _expect(text, at, ","))


def _skip(text: str, at: int) -> int:
    found = BLANKS.match(text, at)
    return found.end() if found else at


def _expect(text: str, at: int, mark: str) -> int:
    if text[at:at + 1] != mark:
        raise Invalid(f"it is no JSON: {mark!r} is missing at character {at}")
    return at + 1
