"""From the bytes of a file to the bytes of an export, packed or not."""

from __future__ import annotations

import zlib

from .errors import Invalid

GZIP = b"\x1f\x8b"


def unpack(content: bytes) -> bytes:
    """The bytes as they are, or what all gzip members in them hold; nothing may follow the last one."""
    if not content.startswith(GZIP):
        return content
    parts = []
    rest = content
    while rest:
        if not rest.startswith(GZIP):
            raise Invalid("something that is no gzip member follows a gzip member")
        member = zlib.decompressobj(wbits=31)
        try:
            parts.append(member.decompress(rest))
        except zlib.error as error:
            raise Invalid(f"the gzip stream is damaged: {error}") from error
        if not member.eof:
            raise Invalid("the gzip stream ends too early")
        rest = member.unused_data
    return b"".join(parts)
