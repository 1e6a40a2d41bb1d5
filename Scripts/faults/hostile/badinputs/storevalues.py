"""Stores of the right shape whose values are odd: broken text, wrong types, far dates, twins, huge blobs."""

from __future__ import annotations

from pathlib import Path

from .item import BAD, TAKEN, Item
from .storemaking import Build, by_sql, store

EITHER = TAKEN | BAD


def items() -> list[Item]:
    """All of them."""
    return [Item(f"values/{name}", codes, why, build) for name, codes, why, build in [*_texts(), *_numbers(), *_rows()]]


def _texts() -> list[tuple[str, frozenset[int], str, Build]]:
    def title(value: str) -> Build:
        return by_sql(f"UPDATE favourites SET title={value} WHERE id='f0003'")

    return [
        ("invalid-utf8", TAKEN, "kept; exports write $text", title("CAST(x'c328ff' AS TEXT)")),
        ("overlong-utf8", TAKEN, "kept; exports write $text", title("CAST(x'c0afe08080' AS TEXT)")),
        ("nul-in-text", TAKEN, "kept; exports write $text", title("CAST(x'610062' AS TEXT)")),
        ("controls", TAKEN, "kept; JSON escapes them", title("CAST(x'1b5b324a070d0a7f' AS TEXT)")),
        ("bidi-and-separators", TAKEN, "kept", title("CAST(x'e280aee280a8e280a9' AS TEXT)")),
        ("text-of-2-mib", TAKEN, "kept", title("CAST(zeroblob(2097152) AS TEXT)")),
        ("blob-of-2-mib", TAKEN, "kept", by_sql("UPDATE favourites SET data=zeroblob(2097152) WHERE id='f0001'")),
        ("blob-of-100-mib", EITHER, "kept, in bounded memory",
         by_sql("UPDATE favourites SET data=zeroblob(104857600) WHERE id='f0001'")),
        ("utf16-lone-surrogate", TAKEN, "kept; exports write $text", _lone_surrogate),
        ("key-invalid-utf8", EITHER, "kept", by_sql("UPDATE favourites SET id=CAST(x'ff' AS TEXT) WHERE id='f0003'")),
        ("key-with-nul", EITHER, "kept", by_sql("UPDATE favourites SET id=CAST(x'6100' AS TEXT) WHERE id='f0003'")),
        ("key-of-1-mib", EITHER, "never shown whole",
         by_sql("UPDATE favourites SET id=hex(zeroblob(524288)) WHERE id='f0003'")),
        ("key-is-a-blob", EITHER, "kept", by_sql("UPDATE favourites SET id=x'00ff' WHERE id='f0003'")),
        ("key-empty", EITHER, "kept", by_sql("UPDATE favourites SET id='' WHERE id='f0003'")),
        ("key-steers-terminal", EITHER, "escaped",
         by_sql("UPDATE favourites SET id=CAST(x'1b5d303b6576696c07' AS TEXT) WHERE id='f0003'")),
    ]


def _numbers() -> list[tuple[str, frozenset[int], str, Build]]:
    def rank(value: str) -> Build:
        return by_sql(f"UPDATE favourites SET rank={value} WHERE id='f0002'")

    def added(value: str) -> Build:
        return by_sql(f"UPDATE favourites SET added={value} WHERE id='f0002'")

    return [
        ("wrong-types", TAKEN, "SQLite's types are the value's",
         by_sql("UPDATE favourites SET rank='abc', added=x'00ff' WHERE id='f0001'")),
        ("infinity", TAKEN, "exports write $real; an unreadable date", added("9e999")),
        ("minus-infinity", TAKEN, "exports write $real", added("-9e999")),
        ("negative-zero", TAKEN, "kept", added("-0.0")),
        ("int64-most", TAKEN, "exact digits", rank("9223372036854775807")),
        ("int64-least", TAKEN, "exact digits", rank("-9223372036854775808")),
        ("int-2-pow-53-plus-1", TAKEN, "exact digits", rank("9007199254740993")),
        ("date-1e18", TAKEN, "unreadable, so oldest", added("1e18")),
        ("date-minus-1e18", TAKEN, "unreadable, so oldest", added("-1e18")),
        ("date-1e308", TAKEN, "unreadable, so oldest", added("1.7e308")),
        ("date-as-integer-most", TAKEN, "unreadable, so oldest", added("9223372036854775807")),
        ("date-in-the-future", TAKEN, "clockSkew", added("3e9")),
    ]


def _rows() -> list[tuple[str, frozenset[int], str, Build]]:
    def numbers(count: int, what: str) -> str:
        return f"WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i+1 FROM n WHERE i<{count}) INSERT INTO {what}"

    return [
        ("null-keys", BAD, "records without a key",
         by_sql("INSERT INTO favourites(id, title) VALUES(NULL, 'a'), (NULL, 'b')")),
        ("key-twins", TAKEN, "three keys", by_sql("INSERT INTO favourites(id) VALUES('Dup'), ('dup'), ('dup ')")),
        ("unicode-twins", TAKEN, "two keys",
         by_sql("INSERT INTO favourites(id) VALUES('caf\u00e9'), ('cafe\u0301')")),
        ("no-settings", TAKEN, "nothing to dedupe", by_sql("DELETE FROM settings")),
        ("settings-twice", TAKEN, "one kept", by_sql("INSERT INTO settings VALUES(2, 'theme', 'dark')")),
        ("settings-in-conflict", TAKEN, "one kept", by_sql("INSERT INTO settings VALUES(2, 'theme', 'light')")),
        ("settings-5000", TAKEN, "one kept", by_sql(numbers(5000, "settings SELECT i, 'theme', 'v' || i FROM n"))),
        ("settings-rowid-most", TAKEN, "kept",
         by_sql("INSERT INTO settings VALUES(9223372036854775807, 'a', 'b'), (-9223372036854775808, 'c', 'd')")),
        ("records-50000", TAKEN, "in linear time",
         by_sql(numbers(50000, "favourites(id, title) SELECT 'k' || i, i FROM n"))),
    ]


def _lone_surrogate(path: Path) -> None:
    store(path, "UPDATE favourites SET title='ZZZZ' WHERE id='f0003'", before="PRAGMA encoding='UTF-16le'").close()
    content = path.read_bytes()
    path.write_bytes(content.replace("ZZZZ".encode("utf-16-le"), b"\x00\xd8A\x00B\x00C\x00"))
