"""The records of each shape, by table: all that is random comes from the names of the shape's tables."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

from ..trainlog import identifier, moment
from .declared import Shape

Records = Iterator[tuple[object, ...]]

#: Characters of a long text, bytes of a blob, characters of a text that is mostly escaped.
BODY, BLOB, REMARK = 5_000, 10_000, 300
#: Texts are cut from one of so many characters: what is packed sees no cut twice near itself.
CORPUS = 4_000_000

SYLLABLES = ("ba", "ker", "lo", "mi", "ran", "su", "tel", "vo", "wen", "zi", "dor", "fel", "gam", "hu", "ni", "pra")
PIECES = ('"quoted"', "C:\\temp\\new", "\n", "\r\n", "\t", "''", "山の上で食べる", "日曜日の朝", "한국어", "😀", "👩‍🚀", "💪🏽",
          "é", "ß", "</b>", " and ", " then ", "\\\"", "{\"a\": [1]}", "12.5 kg")


def by_table(shape: Shape, counts: dict[str, int]) -> Iterator[tuple[str, Records]]:
    """Each table with its records, parents first."""
    return MAKERS[shape.records or shape.name](counts)


def families(counts: dict[str, int]) -> Iterator[tuple[str, Records]]:
    dice = random.Random("families")
    parents = [identifier(dice) for _ in range(counts["Parent"])]
    yield "Parent", ((key, f"Parent {place}", place % 10, moment(dice)) for place, key in enumerate(parents))
    yield "Child", ((identifier(dice), parents[int(dice.random() * len(parents))], place % 12,
                     place * 0.5 if place % 4 else None, moment(dice)) for place in range(counts["Child"]))


def wide(counts: dict[str, int]) -> Iterator[tuple[str, Records]]:
    dice = random.Random("wide")
    text = corpus(dice, word)
    records = [identifier(dice) for _ in range(counts["Record"])]
    yield "Record", ((key, cut(dice, text, BODY), moment(dice)) for key in records)
    yield "Entry", ((identifier(dice), records[int(dice.random() * len(records))], place % 6, moment(dice))
                    for place in range(counts["Entry"]))


def blobs(counts: dict[str, int]) -> Iterator[tuple[str, Records]]:
    dice = random.Random("blobs")
    yield "Picture", ((identifier(dice), dice.randbytes(BLOB), moment(dice)) for _ in range(counts["Picture"]))


def integers(counts: dict[str, int]) -> Iterator[tuple[str, Records]]:
    dice = random.Random("integers")
    yield "Reading", ((place, int(dice.random() * 500), int(dice.random() * 2**40) - 2**39 if place % 9 else None,
                       1_767_225_600 + int(dice.random() * 20_000_000)) for place in range(1, counts["Reading"] + 1))


def escapes(counts: dict[str, int]) -> Iterator[tuple[str, Records]]:
    dice = random.Random("escapes")
    text = corpus(dice, lambda dice: dice.choice(PIECES))
    yield "Remark", ((identifier(dice), cut(dice, text, REMARK), moment(dice)) for _ in range(counts["Remark"]))


def tables(counts: dict[str, int]) -> Iterator[tuple[str, Records]]:
    for table, count in counts.items():
        dice = random.Random(table)
        yield table, ((identifier(dice), f"{word(dice)}{place}", int(dice.random() * 1000) / 4, moment(dice))
                      for place in range(count))


def word(dice: random.Random) -> str:
    return "".join(dice.choices(SYLLABLES, k=1 + int(dice.random() * 4))) + " "


def corpus(dice: random.Random, piece: Callable[[random.Random], str]) -> str:
    """A long text, put together from pieces."""
    found: list[str] = []
    length = 0
    while length < CORPUS:
        found.append(piece(dice))
        length += len(found[-1])
    return "".join(found)


def cut(dice: random.Random, text: str, length: int) -> str:
    place = int(dice.random() * (len(text) - length))
    return text[place:place + length]


MAKERS = {"families": families, "wide": wide, "blobs": blobs, "integers": integers, "escapes": escapes, "tables": tables}
