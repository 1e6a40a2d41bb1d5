"""One form for the bytes of a SQLite file (https://www.sqlite.org/fileformat2.html).

SQLite leaves traces of itself in a file: its version number, a counter of changes, remains of moved cells in unused
space (wiped or not, as it was compiled), cells in the order they happened to arrive. None of them is content. Here they
get fixed values: within each page the cells are packed against its end in key order and everything unused is zero.

Invariant: the rows, the schema, and which page holds which cell stay as SQLite made them.

Meant for small files fresh from VACUUM: no free pages, and no row too long for one page.
"""

from typing import Tuple

PAGE_SIZE = 4096
CHANGE_COUNTER = 1
WRITER_VERSION = 3_040_001  # what SQLITE_VERSION_NUMBER is set to

INDEX_INTERIOR, TABLE_INTERIOR, INDEX_LEAF, TABLE_LEAF = 0x02, 0x05, 0x0A, 0x0D
_MAX_PAYLOAD = {
    TABLE_LEAF: PAGE_SIZE - 35,
    INDEX_LEAF: (PAGE_SIZE - 12) * 64 // 255 - 23,
    INDEX_INTERIOR: (PAGE_SIZE - 12) * 64 // 255 - 23,
}


def canonical_file(content: bytes) -> bytes:
    """The same database with fixed bytes wherever SQLite is free to choose."""
    _require_plain(content)
    pages = [
        canonical_page(content[start : start + PAGE_SIZE], header=100 if start == 0 else 0)
        for start in range(0, len(content), PAGE_SIZE)
    ]
    file = bytearray(b"".join(pages))
    file[24:28] = file[92:96] = CHANGE_COUNTER.to_bytes(4, "big")
    file[96:100] = WRITER_VERSION.to_bytes(4, "big")
    return bytes(file)


def canonical_page(page: bytes, header: int = 0) -> bytes:
    """One b-tree page, packed; `header` is the number of bytes before the b-tree, which stay as they are."""
    kind = page[header]
    if kind not in (INDEX_INTERIOR, TABLE_INTERIOR, INDEX_LEAF, TABLE_LEAF):
        raise ValueError(f"page kind {kind} is not that of a b-tree page")
    count = _u16(page, header + 3)
    pointers = header + (12 if kind in (INDEX_INTERIOR, TABLE_INTERIOR) else 8)
    packed = bytearray(PAGE_SIZE)
    packed[:pointers] = page[:pointers]
    end = PAGE_SIZE
    for at in range(pointers, pointers + 2 * count, 2):
        cell = _cell(page, _u16(page, at), kind)
        end -= len(cell)
        packed[end : end + len(cell)] = cell
        packed[at : at + 2] = end.to_bytes(2, "big")
    packed[header + 1 : header + 3] = bytes(2)  # no free blocks
    packed[header + 5 : header + 7] = end.to_bytes(2, "big")
    packed[header + 7] = 0  # no fragments
    return bytes(packed)


def _require_plain(content: bytes) -> None:
    reasons = {
        "its page size differs": _u16(content, 16) != PAGE_SIZE or len(content) % PAGE_SIZE != 0,
        "it is not in rollback-journal mode": content[18:20] != b"\x01\x01",
        "this SQLite reserves space in each page; use a Python linked with another one": content[20] != 0,
        "it has free pages": any(content[32:40]),
        "it has pointer-map pages": any(content[52:56]),
        "it is not UTF-8": content[56:60] != b"\x00\x00\x00\x01",
    }
    for reason, holds in reasons.items():
        if holds:
            raise ValueError(f"a store can't be given its fixed form: {reason}")


def _cell(page: bytes, start: int, kind: int) -> bytes:
    at = start + (4 if kind in (INDEX_INTERIOR, TABLE_INTERIOR) else 0)
    payload, at = _varint(page, at)
    if kind == TABLE_INTERIOR:  # what was read is the row's number, and nothing follows it
        return page[start:at]
    if kind == TABLE_LEAF:
        _, at = _varint(page, at)
    if payload > _MAX_PAYLOAD[kind]:
        raise ValueError(f"a row of {payload} bytes is too long for one page of a sample store")
    return page[start : max(at + payload, start + 4)]  # no cell takes less than four bytes


def _varint(page: bytes, at: int) -> Tuple[int, int]:
    value = 0
    for read in range(8):
        value = value << 7 | page[at + read] & 0x7F
        if page[at + read] < 0x80:
            return value, at + read + 1
    return value << 8 | page[at + 8], at + 9


def _u16(content: bytes, at: int) -> int:
    return int.from_bytes(content[at : at + 2], "big")
