"""Stores whose bytes are wrong: truncated, zeroed, random, looping, with a false header."""

from __future__ import annotations

import random
import sqlite3
import struct
from contextlib import closing
from pathlib import Path

from .item import BAD, TAKEN, Item
from .storemaking import Build, by_bytes, by_new_text, by_schema, by_sql, put

RANDOM = random.Random(20260101)
EITHER = TAKEN | BAD


def items() -> list[Item]:
    """All of them."""
    return [Item(f"store/{name}", codes, why, build) for name, codes, why, build in [*_whole(), *_pages(), *_header()]]


def _raw(content: bytes) -> Build:
    return lambda path: path.write_bytes(content) and None


def _whole() -> list[tuple[str, frozenset[int], str, Build]]:
    return [
        ("good", TAKEN, "accepted", by_sql()),
        ("empty-file", BAD, "empty file", _raw(b"")),
        ("text-file", BAD, "not a database", _raw(b"this is not a database\n" * 50)),
        ("random", BAD, "not a database; is it encrypted?", _raw(RANDOM.randbytes(16384))),
        ("header-of-100-bytes", BAD, "truncated", by_bytes(lambda b: b[:100])),
        ("header-of-99-bytes", BAD, "truncated", by_bytes(lambda b: b[:99])),
        ("truncated-half", BAD, "malformed", by_bytes(lambda b: b[:len(b) // 2], rows=400)),
        ("truncated-last-byte", BAD, "malformed", by_bytes(lambda b: b[:-1], rows=400)),
        ("two-stores-in-one-file", EITHER, "bytes behind the last page", by_bytes(lambda b: b + b)),
        ("trailing-garbage", EITHER, "bytes behind the last page", by_bytes(lambda b: b + b"garbage" * 1000)),
        ("page-size-512", TAKEN, "accepted", by_sql(before="PRAGMA page_size=512")),
        ("page-size-65536", TAKEN, "accepted", by_sql(before="PRAGMA page_size=65536", rows=3)),
        ("auto-vacuum-full", TAKEN, "accepted", by_sql(before="PRAGMA auto_vacuum=1")),
        ("auto-vacuum-incremental", TAKEN, "accepted", by_sql(before="PRAGMA auto_vacuum=2")),
        ("utf16le", TAKEN, "accepted", by_sql(before="PRAGMA encoding='UTF-16le'")),
        ("utf16be", TAKEN, "accepted", by_sql(before="PRAGMA encoding='UTF-16be'")),
    ]


def _pages() -> list[tuple[str, frozenset[int], str, Build]]:
    size = 4096
    return [
        ("page-zeroed", BAD, "malformed", by_bytes(put(size, bytes(size)), rows=400)),
        ("page-random", BAD, "malformed", by_bytes(put(size, RANDOM.randbytes(size)), rows=400)),
        ("every-page-random", BAD, "malformed",
         by_bytes(lambda b: b[:size] + RANDOM.randbytes(len(b) - size), rows=400)),
        ("first-page-random-behind-header", BAD, "malformed", by_bytes(put(100, RANDOM.randbytes(size - 100)))),
        ("page-pointer-loop", BAD, "malformed", by_bytes(_loop, rows=2000)),
        ("cell-past-page", BAD, "malformed", by_bytes(put(size + 8, b"\xff\xff"), rows=5)),
        ("cell-count-65535", BAD, "malformed", by_bytes(put(size + 3, b"\xff\xff"), rows=5)),
        ("overflow-loop", BAD, "malformed",
         by_bytes(_overflow_loop, sql="UPDATE favourites SET data=zeroblob(20000) WHERE id='f0001'")),
        ("index-missing-row", EITHER, "refused only before its table is written", _index_hole),
        ("unique-index-violated", EITHER, "refused only before its table is written", by_new_text(
            "CREATE TABLE u(a); INSERT INTO u VALUES('same'),('same'); CREATE INDEX ui ON u(a)", "ui",
            "CREATE UNIQUE INDEX ui ON u(a)")),
        ("two-tables-on-one-page", BAD, "malformed",
         by_schema("UPDATE sqlite_schema SET rootpage=(SELECT rootpage FROM sqlite_schema WHERE name='favourites') "
                   "WHERE name='settings'")),
        ("root-page-of-the-schema", BAD, "malformed",
         by_schema("UPDATE sqlite_schema SET rootpage=1 WHERE name='settings'")),
        ("root-page-past-end", BAD, "malformed",
         by_schema("UPDATE sqlite_schema SET rootpage=999999 WHERE name='settings'")),
    ]


def _header() -> list[tuple[str, frozenset[int], str, Build]]:
    return [
        ("freelist-count-wrong", BAD, "freelist", by_bytes(put(36, struct.pack(">I", 7777)), rows=50)),
        ("freelist-trunk-past-end", BAD, "freelist", by_bytes(put(32, struct.pack(">II", 9999, 3)), rows=50)),
        ("freelist-is-the-schema", BAD, "freelist", by_bytes(put(32, struct.pack(">II", 1, 1)), rows=50)),
        ("freelist-loop", BAD, "freelist",
         by_bytes(_freelist_loop, sql="DELETE FROM favourites WHERE rank > 3", rows=2000)),
        ("page-count-huge", BAD, "malformed", by_bytes(_page_count(0xFFFFFFFE))),
        ("page-count-1", BAD, "malformed", by_bytes(_page_count(1))),
        ("write-version-9", EITHER, "readable, not writable", by_bytes(put(18, b"\x09"))),
        ("read-version-9", BAD, "not a database", by_bytes(put(19, b"\x09"))),
        ("read-version-0", EITHER, "as SQLite takes it", by_bytes(put(18, b"\0\0"))),
        ("page-size-field-3", BAD, "not a database", by_bytes(put(16, b"\x00\x03"))),
        ("page-size-field-0", BAD, "not a database", by_bytes(put(16, b"\x00\x00"))),
        ("page-size-field-32768", BAD, "malformed", by_bytes(put(16, b"\x80\x00"))),
        ("reserved-bytes-255", BAD, "malformed, or too little room on a page", by_bytes(put(20, b"\xff"))),
        ("reserved-bytes-64", BAD, "cells reach into the reserved bytes", by_bytes(put(20, b"\x40"))),
        ("payload-fractions-0", BAD, "not a database", by_bytes(put(21, b"\0\0\0"))),
        ("schema-format-9", BAD, "unsupported file format", by_bytes(put(44, struct.pack(">I", 9)))),
        ("encoding-7", BAD, "unknown text encoding", by_bytes(put(56, struct.pack(">I", 7)))),
        ("encoding-is-not-utf16", EITHER, "bytes of UTF-8 read as UTF-16", by_bytes(put(56, struct.pack(">I", 2)))),
        ("user-version-999", TAKEN, "the app's own number", by_sql("PRAGMA user_version=999")),
        ("other-application-id", TAKEN, "the app's own number", by_sql("PRAGMA application_id=0x47504b47")),
    ]


def _loop(content: bytearray) -> bytearray:
    """An interior page that is its own right-most child."""
    size = struct.unpack(">H", content[16:18])[0]
    for page in range(1, len(content) // size):
        if content[page * size] == 5:
            content[page * size + 8:page * size + 12] = struct.pack(">I", page + 1)
            return content
    raise ValueError("no interior page")


def _overflow_loop(content: bytearray) -> bytearray:
    """The first overflow page names itself as the next."""
    size = struct.unpack(">H", content[16:18])[0]
    for page in range(1, len(content) // size):
        here = page * size
        following = struct.unpack(">I", content[here:here + 4])[0]
        if following == page + 2 and content[here + 4:here + 64] == bytes(60):
            content[here:here + 4] = struct.pack(">I", page + 1)
            return content
    raise ValueError("no overflow page")


def _freelist_loop(content: bytearray) -> bytearray:
    trunk = struct.unpack(">I", content[32:36])[0]
    size = struct.unpack(">H", content[16:18])[0]
    assert trunk > 0
    content[(trunk - 1) * size:(trunk - 1) * size + 4] = struct.pack(">I", trunk)
    return content


def _page_count(pages: int):
    """The header's page count, with the change counter made to agree, so that it is believed."""

    def change(content: bytearray) -> bytearray:
        content[28:32] = struct.pack(">I", pages)
        content[92:96] = content[24:28]
        return content

    return change


def _index_hole(path: Path) -> None:
    """An index that was built with a condition which its text then no longer shows."""
    by_new_text("", "fav_rank", "CREATE INDEX fav_rank ON favourites(rank) WHERE rank<>3")(path)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.executescript(
            "REINDEX fav_rank; PRAGMA writable_schema=ON; UPDATE sqlite_schema SET "
            "sql='CREATE INDEX fav_rank ON favourites(rank)' WHERE name='fav_rank'; PRAGMA schema_version=100")
