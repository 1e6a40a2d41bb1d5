"""The completion flag and its file: of the wrong type, damaged, linked, read-only, in every format."""

from __future__ import annotations

import datetime
import json
import os
import plistlib
from collections.abc import Callable

from ..calling import Call
from .badinputs.plistbytes import dictionary, document, integer, text, utf16
from .badinputs.xmllists import plist
from .case import DATA, OK, Case, Codes
from .scene import Arrangement, Scene, written

FLAG = "cloudMigrationDone"
EITHER = DATA | OK
#: A name as Godwit's temporary files have it, and the bytes of a file that must not change.
TEMPORARY = ".godwit-tmp-00000000"
PRECIOUS = b"the only copy\n"


def cases() -> list[Case]:
    """All of them; `run` and `copy` edit the file, the others read it."""
    return [*_types(), *_formats(), *_edits()]


def _types() -> list[Case]:
    """A flag that is not a boolean is not true: the copy must be made, or the file refused."""
    values = {
        "string-true": "true", "string-yes": "YES", "string-1": "1", "integer-1": 1, "integer-0": 0, "integer-7": 7,
        "integer-negative": -1, "real-1": 1.0, "real-0.5": 0.5, "date": datetime.datetime(2026, 1, 1),
        "data": b"\x01", "array": [True], "dictionary": {"done": True}, "false": False,
    }
    found = []
    for name, value in values.items():
        for kind in (plistlib.FMT_BINARY, plistlib.FMT_XML):
            content = plistlib.dumps({FLAG: value, "k": "v"}, fmt=kind)
            found.append(Case(
                f"flag {name} in {kind.name[4:].lower()}", written("plist", content), EITHER,
                {"verify": EITHER | {1}}, check=_never_believed, quick=("run",),
                commands=("plan", "verify", "status", "copy", "run")))
    return found


def _never_believed(scene: Scene, call: Call) -> list[str]:
    """After a run that was taken the records are in the cloud store."""
    if call.words[0] in {"run", "copy"} and call.code == 0 and not scene.cloud.exists():
        return ["the flag was taken for true: there is no cloud store"]
    return []


def files() -> dict[str, bytes]:
    """The preferences files in each format, which fuzz targets read as well."""
    return {f"flag {name}": content for name, content, _ in _contents()}


def _formats() -> list[Case]:
    return [
        Case(f"flag {name}", written("plist", content), codes, {"verify": codes | {1}, "history": codes | OK},
             quick=("run",))
        for name, content, codes in _contents()
    ]


def _contents() -> list[tuple[str, bytes, Codes]]:
    twice = document([dictionary([1, 1], [2, 3]), text(FLAG), b"\x09", b"\x08"])
    twice_apart = document(
        [dictionary([1, 2], [3, 4]), text(FLAG), utf16(FLAG.encode("utf-16-be")), b"\x09", b"\x08"])
    return [
        ("in-json", json.dumps({"k": "v"}).encode(), OK),
        ("in-json-false", json.dumps({FLAG: False, "k": "v"}).encode(), OK),
        ("in-json-with-layout", b'{ "k" : "v" ,\n\t"x": [1, 2, {"cloudMigrationDone": true}] }\n\n', OK),
        ("in-json-empty", b"{}", OK),
        ("in-json-array", b"[]", DATA),
        ("in-json-twice", b'{"cloudMigrationDone": false, "cloudMigrationDone": true}', DATA),
        ("in-json-escaped", b'{"cloud\\u004digrationDone": false, "k": "v"}', OK),
        ("in-json-null", b'{"cloudMigrationDone": null}', EITHER),
        ("in-json-cut", b'{"k": "v"', DATA),
        ("in-json-with-comment", b'{"k": "v" /* x */}', DATA),
        ("in-json-trailing-comma", b'{"k": "v",}', DATA),
        ("in-json-nan", b'{"r": NaN}', DATA),
        ("in-json-deep", b'{"k": ' + b"[" * 100_000 + b"]" * 100_000 + b"}", DATA),
        ("twice-in-binary", twice, DATA),
        ("twice-in-binary-ascii-and-utf16", twice_apart, DATA),
        ("twice-in-xml", plist(f"<dict><key>{FLAG}</key><true/><key>{FLAG}</key><false/></dict>").encode(), DATA),
        ("nested-in-xml", plist(f"<dict><key>k</key><dict><key>{FLAG}</key><true/></dict></dict>").encode(), OK),
        ("in-a-comment", plist(f"<!-- <key>{FLAG}</key><true/> --><dict><key>k</key><string>v</string></dict>"
                                   ).encode(), OK),
        ("in-cdata", plist(f"<dict><key><![CDATA[{FLAG}]]></key><false/></dict>").encode(), OK),
        ("by-character-references",
             plist(f"<dict><key>{''.join(f'&#{ord(c)};' for c in FLAG)}</key><false/></dict>").encode(), OK),
        ("empty-xml-dictionary", plist("<dict/>").encode(), OK),
        ("dictionary-with-space", plist("<dict >\n</dict >").encode(), OK),
        ("without-declaration", b"<plist><dict></dict></plist>", OK),
        ("many-objects-in-binary", plistlib.dumps(
            {f"key{n}": n * 1.5 for n in range(300)} | {"k": "v"}, fmt=plistlib.FMT_BINARY), OK),
        ("65536-objects-in-binary", plistlib.dumps(
            {f"key{n}": n for n in range(40_000)}, fmt=plistlib.FMT_BINARY), OK),
        ("empty-binary-dictionary", plistlib.dumps({}, fmt=plistlib.FMT_BINARY), OK),
        ("wide-references-in-binary", document(
            [dictionary([1], [2], 8), text("k"), integer(7)], references=8, offset_size=8), OK),
    ]


def _edits() -> list[Case]:
    """Files and links in the place where the edited file goes."""

    def temporary_is_link(scene: Scene) -> None:
        precious = scene.home / "precious"
        precious.write_bytes(PRECIOUS)
        (scene.plist.parent / TEMPORARY).symlink_to(precious)

    def linked_inside(scene: Scene) -> None:
        scene.plist.rename(scene.container / "real.plist")
        scene.plist.symlink_to("../../real.plist")

    def kept_mode(mode: int) -> Callable[[Scene, Call], list[str]]:
        def check(scene: Scene, _: Call) -> list[str]:
            found = scene.plist.stat().st_mode & 0o7777
            return [] if found == mode else [f"the preferences' mode is {found:o} instead of {mode:o}"]

        return check

    def case(name: str, arrange: Arrangement, check: Callable[[Scene, Call], list[str]] | None = None,
             codes: Codes = OK) -> Case:
        return Case(f"flag {name}", arrange, codes, {"verify": codes | {1}}, check=check)

    return [
        # Names that a temporary file might want, taken by another program.
        case("next to 50 files", lambda scene: [
            (scene.plist.parent / f"{scene.plist.name}.{number}").write_bytes(b"x") for number in range(50)]),
        case("next to a folder with its temporary name", lambda scene: (scene.plist.parent / TEMPORARY).mkdir()),
        case("next to a link with its temporary name", temporary_is_link, lambda scene, _: [] if (
            scene.home / "precious").read_bytes() == PRECIOUS else ["a link was followed"]),
        case("through a link", linked_inside, lambda scene, _: [] if scene.plist.is_symlink() else [
            "the link was replaced by a file"]),
        case("in a file of two names", lambda scene: os.link(scene.plist, scene.home / "other-name.plist")),
        case("in a read-only file", lambda scene: scene.plist.chmod(0o444), kept_mode(0o444), OK | {77}),
        case("in a file of odd mode", lambda scene: scene.plist.chmod(0o4755), kept_mode(0o4755)),
        case("in a file with attributes", lambda scene: os.setxattr(scene.plist, "user.com.example", b"kept")),
    ]
