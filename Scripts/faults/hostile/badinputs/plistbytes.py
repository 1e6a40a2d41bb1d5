"""Binary property lists by hand, so that every field can lie.

The format is that of CFBinaryPList.c: objects, a table of their offsets, and a trailer of 32 bytes.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence


def reference_size(count: int) -> int:
    """Bytes that a reference to one of so many objects takes."""
    return 1 if count < 256 else 2 if count < 65536 else 4


def document(
    objects: Sequence[bytes], top: int = 0, *, offsets: Sequence[int] | None = None, offset_size: int | None = None,
    references: int | None = None, count: int | None = None, table: int | None = None, magic: bytes = b"bplist00",
    tail: bytes = b"",
) -> bytes:
    """A property list from objects that are encoded already; each field of the trailer can be given another value."""
    body, places = magic, []
    for each in objects:
        places.append(len(body))
        body += each
    end = len(body)
    width = offset_size or (1 if end < 256 else 2 if end < 65536 else 4)
    parts = [(place & ((1 << 8 * width) - 1)).to_bytes(width, "big") for place in (offsets or places)]
    trailer = struct.pack(
        ">6xBBQQQ", width if offset_size is None else offset_size,
        reference_size(len(objects)) if references is None else references,
        len(objects) if count is None else count, top, end if table is None else table)
    return body + b"".join(parts) + trailer + tail


def counted(marker: int, count: int) -> bytes:
    """A marker with its count, in as many bytes as that takes."""
    if count < 15:
        return bytes([marker | count])
    for exponent in range(4):
        if count < 1 << (8 << exponent):
            return bytes([marker | 15, 0x10 | exponent]) + count.to_bytes(1 << exponent, "big")
    raise ValueError(count)


def array(references: Sequence[int], width: int = 1) -> bytes:
    """An array of references."""
    return counted(0xA0, len(references)) + b"".join(each.to_bytes(width, "big") for each in references)


def dictionary(keys: Sequence[int], values: Sequence[int], width: int = 1) -> bytes:
    """A dictionary of references."""
    return counted(0xD0, len(keys)) + b"".join(each.to_bytes(width, "big") for each in [*keys, *values])


def text(value: str | bytes) -> bytes:
    """An ASCII string; its bytes are not checked."""
    raw = value if isinstance(value, bytes) else value.encode()
    return counted(0x50, len(raw)) + raw


def utf16(raw: bytes) -> bytes:
    """A UTF-16 string of these bytes."""
    return counted(0x60, len(raw) // 2) + raw


def data(raw: bytes) -> bytes:
    """Data."""
    return counted(0x40, len(raw)) + raw


def integer(value: int) -> bytes:
    """An integer of eight bytes."""
    return b"\x13" + struct.pack(">q", value)


def real(value: float) -> bytes:
    """A double."""
    return b"\x23" + struct.pack(">d", value)


def date(seconds: float) -> bytes:
    """A date, in seconds since 2001."""
    return b"\x33" + struct.pack(">d", seconds)


def single(key: str, value: bytes) -> bytes:
    """A property list with one key."""
    return document([dictionary([1], [2]), text(key), value])
