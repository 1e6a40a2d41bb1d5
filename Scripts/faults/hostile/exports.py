"""Exports that are damaged or invented, as input of `import`: each must be refused, and no store made."""

from __future__ import annotations

import gzip
import json
import os
import re
import subprocess
import zlib
from collections.abc import Callable
from pathlib import Path

from ..calling import Call
from ..reading import is_sound
from .case import DATA, OK, Case, Codes
from .scene import Arrangement, Scene

ABSENT: Codes = frozenset({66})
EITHER = DATA | OK
Change = Callable[[bytes], bytes]


def is_known(binary: Path) -> bool:
    """Whether this godwit has the command."""
    done = subprocess.run([binary, "import", "--help"], capture_output=True, check=False, stdin=subprocess.DEVNULL)
    return b"USAGE: godwit import" in done.stdout


def changes() -> list[tuple[str, Codes, Change]]:
    """What is done to a good document, which the fuzz target for imports reads as well."""
    return [*_bytes(), *_compressed(), *_header(), *_entities(), *_values(), *_integrity()]


def cases() -> list[Case]:
    """All of them."""
    return [
        # Each needs a run and an export first: the quick sweep takes every fourth.
        *(Case(f"export {name}", _arranged(change), codes, commands=("import",), quick=("import",)[number % 4:],
               check=_all_or_nothing, settles=False) for number, (name, codes, change) in enumerate(changes())),
        *_places(),
    ]


def _document(scene: Scene) -> bytes:
    """An export of the scene's own store after a run."""
    ran = scene.call("run", "-q")
    made = scene.out / "document.json"
    exported = scene.call("export", "-q", "-o", made)
    assert (ran.code, exported.code) == (0, 0), (ran.errors, exported.errors)
    return made.read_bytes()


def _arranged(change: Change) -> Arrangement:
    def arrange(scene: Scene) -> None:
        (scene.home / "document.json").write_bytes(change(_document(scene)))
        scene.words = [scene.home / "document.json", *scene.words, "-o", scene.out / "new.store"]

    return arrange


def _all_or_nothing(scene: Scene, call: Call) -> list[str]:
    """A whole store where it was taken, and nothing at all where it was not."""
    left = sorted(each.name for each in scene.out.iterdir() if each.name != "document.json")
    if call.code != 0:
        return [f"left {left}"] if left else []
    if left != ["new.store"]:
        return [f"made {left}"]
    return [] if is_sound(scene.out / "new.store") else ["the new store is not sound"]


def replaced(old: str, new: str) -> Change:
    """A part of the text, which must be there, replaced once."""

    def change(document: bytes) -> bytes:
        assert old.encode() in document, old
        return document.replace(old.encode(), new.encode(), 1)

    return change


def _by_pattern(pattern: str, new: str) -> Change:
    def change(document: bytes) -> bytes:
        text, count = re.subn(pattern.encode(), lambda _: new.encode(), document, count=1)
        assert count == 1, pattern
        return text

    return change


def _bytes() -> list[tuple[str, Codes, Change]]:
    found: list[tuple[str, Codes, Change]] = [
        ("as it is", OK, lambda d: d), ("empty", DATA, lambda d: b""), ("a space", DATA, lambda d: b" "),
        ("nul bytes", DATA, lambda d: bytes(4096)), ("random", DATA, lambda d: bytes(range(256)) * 16),
        ("a store", DATA, lambda d: b"SQLite format 3\0" + d), ("without its last byte", EITHER, lambda d: d[:-1]),
        ("without its brace", DATA, lambda d: d.rstrip()[:-1]), ("twice", DATA, lambda d: d + d),
        ("with trailing junk", DATA, lambda d: d + b"junk"), ("with a trailing nul", DATA, lambda d: d + b"\0"),
        ("with trailing space", EITHER, lambda d: d + b" \n\n"), ("with a byte order mark", EITHER,
                                                                  lambda d: b"\xef\xbb\xbf" + d),
        ("in utf-16", DATA, lambda d: d.decode().encode("utf-16")),
        ("in utf-32", DATA, lambda d: d.decode().encode("utf-32")),
        ("nested 100000", DATA, lambda d: b"[" * 100_000),
        ("nested objects 100000", DATA, lambda d: b'{"a":' * 100_000),
        ("with windows lines", EITHER, lambda d: d.replace(b"\n", b"\r\n")),
        ("pretty", EITHER, lambda d: json.dumps(json.loads(d), indent=2, ensure_ascii=False).encode()),
        ("in one line", EITHER, lambda d: json.dumps(json.loads(d), ensure_ascii=False).encode()),
        ("with its keys the other way round", EITHER,
         lambda d: json.dumps(dict(reversed(json.loads(d).items())), ensure_ascii=False).encode()),
        ("with a comment", DATA, replaced('"entities":', '/* x */ "entities":')),
        ("with a trailing comma", DATA, _by_pattern(r"\}\]", "},]")),
        ("with invalid utf-8", DATA, lambda d: d.replace(b"title", b"titl\xff", 1)),
        ("with overlong utf-8", DATA, lambda d: d.replace(b"title 1", b"title \xc0\xaf", 1)),
        ("with a control character", DATA, lambda d: d.replace(b"title 1", b"title \x01", 1)),
        ("html", DATA, lambda d: b"<!DOCTYPE html><html><body>404</body></html>"),
    ]
    found += [
        (f"cut at {part} of 20", DATA, lambda d, part=part: d[:len(d) * part // 20]) for part in range(1, 20)
    ]
    return found


def _compressed() -> list[tuple[str, Codes, Change]]:
    def flipped(document: bytes) -> bytes:
        packed = bytearray(gzip.compress(document))
        packed[len(packed) // 2] ^= 0x55
        return bytes(packed)

    def bomb(start: bytes, fill: bytes, mebibytes: int) -> Change:
        def packed(_: bytes) -> bytes:
            packer = zlib.compressobj(9, zlib.DEFLATED, 31)
            block = fill * (1 << 20)
            return packer.compress(start) + b"".join(
                packer.compress(block) for _ in range(mebibytes)) + packer.flush()

        return packed

    def named(document: bytes) -> bytes:
        packed = gzip.compress(document)
        return packed[:3] + b"\x08" + packed[4:10] + b"../../etc/passwd\x1b[31m\0" + packed[10:]

    return [
        ("gzipped", OK, gzip.compress), ("gzipped, cut", DATA, lambda d: gzip.compress(d)[:-9]),
        ("gzipped, without its last byte", DATA, lambda d: gzip.compress(d)[:-1]),
        ("gzipped, one bit wrong", DATA, flipped),
        ("gzipped, only a header", DATA, lambda d: b"\x1f\x8b\x08\0\0\0\0\0\0\x03"),
        ("gzipped, only the magic", DATA, lambda d: b"\x1f\x8b"),
        ("gzipped, unknown method", DATA, lambda d: b"\x1f\x8b\x09" + gzip.compress(d)[3:]),
        ("gzipped, checksum wrong", DATA, lambda d: gzip.compress(d)[:-8] + bytes(4) + gzip.compress(d)[-4:]),
        ("gzipped, length wrong", DATA, lambda d: gzip.compress(d)[:-4] + bytes(4)),
        ("gzipped, two members", EITHER, lambda d: gzip.compress(d[:900]) + gzip.compress(d[900:])),
        ("gzipped, 1000 empty members", EITHER, lambda d: gzip.compress(b"") * 1000 + gzip.compress(d)),
        ("gzipped, the document twice", DATA, lambda d: gzip.compress(d) * 2),
        ("gzipped, trailing junk", DATA, lambda d: gzip.compress(d) + b"junk"),
        ("gzipped, trailing nul", EITHER, lambda d: gzip.compress(d) + bytes(512)),
        ("gzipped twice", DATA, lambda d: gzip.compress(gzip.compress(d))),
        ("gzipped, with a name", EITHER, named),
        ("zlib without gzip", DATA, zlib.compress),
        ("a gzip bomb", DATA, bomb(b"", b" ", 1024)), ("a string bomb", DATA, bomb(b'{"app": "', b"x", 600)),
        ("gzipped nothing", DATA, lambda d: gzip.compress(b"")),
    ]


def _header() -> list[tuple[str, Codes, Change]]:
    def value(key: str, new: str) -> Change:
        return _by_pattern(rf'"{key}": ("[^"]*"|\d+|null)', f'"{key}": {new}')

    return [
        ("of a newer reader", DATA, value("minReaderVersion", "2")),
        ("of reader 2^64", DATA, value("minReaderVersion", "18446744073709551616")),
        ("of reader -1", DATA, value("minReaderVersion", "-1")),
        ("of reader 1.5", DATA, value("minReaderVersion", "1.5")),
        ("of reader 1e0", EITHER, value("minReaderVersion", "1e0")),
        ("of reader '1'", DATA, value("minReaderVersion", '"1"')),
        ("of no reader", DATA, value("minReaderVersion", "null")),
        ("of format 2 for reader 1", EITHER, value("formatVersion", "2")),
        ("of another format", DATA, value("format", '"other-export"')),
        ("of another app", EITHER, value("app", '"Other"')),
        ("of an app that steers terminals", EITHER, value("app", '"\\u001b[2J\\u202e\\n"')),
        ("of schema version 2^63", EITHER, value("schemaVersion", "9223372036854775808")),
        ("of a newer migration", DATA, value("schemaMigration", "99")),
        ("of migration 0", EITHER, value("schemaMigration", "0")),
        ("of migration -1", DATA, value("schemaMigration", "-1")),
        ("of migration null", EITHER, value("schemaMigration", "null")),
        ("of an unknown schema", EITHER, value(r"\$schema", '"urn:evil"')),
        ("with a date that is no instant", EITHER, value("exportedAt", '"when?"')),
        ("with a key twice", DATA, replaced('"app":', '"app": "x", "app":')),
        ("with an escaped key twice", DATA, replaced('"app":', '"\\u0061pp": "x", "app":')),
        ("with an unknown key", EITHER, replaced('"app":', '"evil": {"a": [1, {"b": null}]}, "app":')),
        ("with an unknown key of 10 MiB", EITHER, replaced('"app":', f'"evil": "{"x" * (10 << 20)}", "app":')),
        ("without entities", DATA, replaced('"entities":', '"entitiez":')),
        ("without integrity", DATA, replaced('"integrity":', '"integritz":')),
    ]


def _entities() -> list[tuple[str, Codes, Change]]:
    def first_name(name: str) -> Change:
        return replaced('"name": "favourites"', f'"name": {json.dumps(name)}')

    return [
        ("of an unknown entity", DATA, first_name("nothing")),
        ("of the schema table", DATA, first_name("sqlite_schema")),
        ("of a book", DATA, first_name("godwit_receipt")),
        ("of an injection", DATA, first_name('x"; DROP TABLE settings--')),
        ("of an empty entity", DATA, first_name("")), ("of one entity twice", DATA, first_name("settings")),
        ("of a terminal's entity", DATA, first_name("\x1b[2J")),
        ("with another key", DATA, replaced('"key": "id"', '"key": "title"')),
        ("with an unknown column", DATA, replaced('"name": "title"', '"name": "evil"')),
        ("with a column twice", DATA, replaced('"name": "title"', '"name": "id"')),
        ("with another type", EITHER, replaced('"type": "REAL"', '"type": "BLOB"')),
        ("with a count too high", DATA, _by_pattern(r'"count": \d+', '"count": 999')),
        ("with a count of 2^63", DATA, _by_pattern(r'"count": \d+', '"count": 9223372036854775808')),
        ("with a count of -1", DATA, _by_pattern(r'"count": \d+', '"count": -1')),
        ("with a count of 1e9", DATA, _by_pattern(r'"count": \d+', '"count": 1e9')),
        ("with records that are no list", DATA, _by_pattern(r'"records": \[', '"records": {"a": [')),
        ("with a record that is a list", DATA, _by_pattern(r'\{"id":"f0001"', '["id","f0001"')),
        ("with a record too many", DATA, _by_pattern(r'\{"id":"f0001"', '{"id": "zzz"}, {"id":"f0001"')),
        ("with a record's column unannounced", DATA, replaced('{"id":"f0001"', '{"evil": 1, "id": "f0001"')),
        ("with a record's column twice", DATA, replaced('{"id":"f0001"', '{"id": "x", "id": "f0001"')),
        ("with a record's column missing", DATA, replaced('{"id":"f0001",', "{")),
    ]


def _values() -> list[tuple[str, Codes, Change]]:
    def value(text: str) -> Change:
        return _by_pattern(r'\{"id":"f0001","title":"[^"]*"', '{"id":"f0001","title":' + text)

    texts = {
        "a lone surrogate": '"\\ud800"', "surrogates the wrong way round": '"\\udc00\\ud800"', "a nul": '"a\\u0000b"',
        "an unknown escape": '"\\x41"', "a cut escape": '"\\u12"', "a raw newline": '"a\nb"', "NaN": "NaN",
        "Infinity": "Infinity", "-": "-", "01": "01", "1.": "1.", ".5": ".5", "+1": "+1", "1e": "1e", "1e999": "1e999",
        "a hex number": "0x10", "2^63": "9223372036854775808", "a million digits": "1" * 1_000_000, "True": "True",
        "a list": "[1]", "an object": '{"a": 1}', "an empty object": "{}",
        "a blob that is no base64": '{"$blob": "!!!"}',
        "a blob cut": '{"$blob": "QQ"}', "a blob of two": '{"$blob": "", "$int": "1"}',
        "a blob of null": '{"$blob": null}',

        "an int of 2^63": '{"$int": "9223372036854775808"}', "an int of words": '{"$int": "one"}',
        "an int with space": '{"$int": " 1"}', "an int of 1": '{"$int": "1"}', "a real of words": '{"$real": "evil"}',
        "a real NaN": '{"$real": "NaN"}', "a text that is text": '{"$text": "YQ=="}',
        "an unknown wrapper": '{"$evil": 1}',
        "a wrapper in a wrapper": '{"$blob": {"$blob": ""}}', "a string of 70 MiB": f'"{"x" * (70 << 20)}"',
    }
    # With any of them the hash of the document is wrong.
    return [(f"with {name} for a value", DATA, value(text)) for name, text in texts.items()]


def _integrity() -> list[tuple[str, Codes, Change]]:
    def counts(new: str) -> Change:
        return _by_pattern(r'"counts": \{[^}]*\}', f'"counts": {new}')

    return [
        ("with another hash", DATA, _by_pattern(r'"sha256": "[0-9a-f]{8}', '"sha256": "00000000')),
        ("with a hash in capitals", EITHER, lambda d: re.sub(
            rb'"sha256": "([0-9a-f]+)"', lambda m: b'"sha256": "' + m[1].upper() + b'"', d)),
        ("with a short hash", DATA, _by_pattern(r'"sha256": "[0-9a-f]+"', '"sha256": "00"')),
        ("with a hash that is a number", DATA, _by_pattern(r'"sha256": "[0-9a-f]+"', '"sha256": 0')),
        ("without a hash", DATA, _by_pattern(r', "sha256": "[0-9a-f]+"', "")),
        ("with no counts", DATA, counts("{}")), ("with counts too high", DATA, counts('{"favourites": 999}')),
        ("with counts that are a list", DATA, counts("[]")),
        ("with one value changed", DATA, replaced("title 1", "title 9")),
    ]


def _places() -> list[Case]:
    """Documents that are not a file, and targets that exist."""

    def case(
        name: str, codes: Codes, document: str = "{home}/document.json", target: str = "{out}/new.store",
        make: Callable[[str], object] = lambda _: None,
    ) -> Case:
        def arrange(scene: Scene) -> None:
            (scene.home / "document.json").write_bytes(_document(scene))
            make(str(scene.home / "odd"))
            scene.words = [document.format(**vars(scene)), *scene.words, "-o", target.format(**vars(scene))]

        return Case(f"import {name}", arrange, codes, commands=("import",), quick=("import",), settles=False)

    def touch(suffix: str) -> Callable[[str], object]:
        return lambda path: Path(path + suffix).write_bytes(b"precious")

    odd = "{home}/odd"
    there: Codes = frozenset({73})
    return [
        case("of nothing", ABSENT, "/nowhere"),
        case("of a folder", ABSENT, odd, make=os.mkdir),
        case("of a fifo", ABSENT, odd, make=os.mkfifo),
        case("of an endless device", ABSENT | DATA, "/dev/zero"),
        case("of an empty standard input", DATA, "-"),
        case("of a loop", ABSENT, odd, make=lambda path: os.symlink("odd", path)),
        case("onto a file", there, target=odd, make=touch("")),
        case("next to a -wal file", there, target=odd, make=touch("-wal")),
        case("next to a rollback journal", there, target=odd, make=touch("-journal")),
        case("onto a dangling link", there, target=odd, make=lambda path: os.symlink("/nowhere/x", path)),
        case("onto a folder", there, target=odd, make=os.mkdir),
        case("onto the document", there, target="{home}/document.json"),
        case("onto the local store", there, target="{local}"),
        case("into a missing folder", there | ABSENT, target="/nowhere/new.store"),
        case("onto a full device", there, target="/dev/full"),
    ]
