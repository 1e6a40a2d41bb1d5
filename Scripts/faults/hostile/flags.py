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
from .scene import Scene

FLAG = "cloudMigrationDone"
EITHER = DATA | OK


def cases() -> list[Case]:
    """All of them; `run` and `copy` edit the file, the others read it."""
    return [*_types(), *_formats(), *_edits()]


def written(content: bytes) -> Callable[[Scene], None]:
    """These bytes as the preferences file."""
    return lambda scene: scene.plist.write_bytes(content) and None


def _types() -> list[Case]:
    """A flag that is no boolean is not true: the copy is made, or the file refused; never taken for done."""
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
                f"flag {name} in {kind.name[4:].lower()}", written(content), EITHER,
                {"verify": EITHER | {1}}, check=_never_believed, quick=("run",),
                commands=("plan", "verify", "status", "copy", "run")))
    return found


def _never_believed(scene: Scene, call: Call) -> list[str]:
    """After a run that was taken the records are in the cloud store."""
    if call.words[0] in {"run", "copy"} and call.code == 0 and not scene.cloud.exists():
        return ["the flag was taken for true: there is no cloud store"]
    return []


def _formats() -> list[Case]:
    def case(name: str, content: bytes, codes: Codes) -> Case:
        return Case(
            f"flag {name}", written(content), codes, {"verify": codes | {1}, "history": codes | OK}, quick=("run",))

    twice = document([dictionary([1, 1], [2, 3]), text(FLAG), b"\x09", b"\x08"])
    twice_apart = document(
        [dictionary([1, 2], [3, 4]), text(FLAG), utf16(FLAG.encode("utf-16-be")), b"\x09", b"\x08"])
    return [
        case("in-json", json.dumps({"k": "v"}).encode(), OK),
        case("in-json-false", json.dumps({FLAG: False, "k": "v"}).encode(), OK),
        case("in-json-with-layout", b'{ "k" : "v" ,\n\t"x": [1, 2, {"cloudMigrationDone": true}] }\n\n', OK),
        case("in-json-empty", b"{}", OK),
        case("in-json-array", b"[]", DATA),
        case("in-json-twice", b'{"cloudMigrationDone": false, "cloudMigrationDone": true}', DATA),
        case("in-json-escaped", b'{"cloud\\u004digrationDone": false, "k": "v"}', OK),
        case("in-json-null", b'{"cloudMigrationDone": null}', EITHER),
        case("in-json-cut", b'{"k": "v"', DATA),
        case("in-json-with-comment", b'{"k": "v" /* x */}', DATA),
        case("in-json-trailing-comma", b'{"k": "v",}', DATA),
        case("in-json-nan", b'{"r": NaN}', DATA),
        case("in-json-deep", b'{"k": ' + b"[" * 100_000 + b"]" * 100_000 + b"}", DATA),
        case("twice-in-binary", twice, DATA),
        case("twice-in-binary-ascii-and-utf16", twice_apart, DATA),
        case("twice-in-xml", plist(f"<dict><key>{FLAG}</key><true/><key>{FLAG}</key><false/></dict>").encode(), DATA),
        case("nested-in-xml", plist(f"<dict><key>k</key><dict><key>{FLAG}</key><true/></dict></dict>").encode(), OK),
        case("in-a-comment", plist(f"<!-- <key>{FLAG}</key><true/> --><dict><key>k</key><string>v</string></dict>"
                                   ).encode(), OK),
        case("in-cdata", plist(f"<dict><key><![CDATA[{FLAG}]]></key><false/></dict>").encode(), OK),
        case("by-character-references",
             plist(f"<dict><key>{''.join(f'&#{ord(c)};' for c in FLAG)}</key><false/></dict>").encode(), OK),
        case("empty-xml-dictionary", plist("<dict/>").encode(), OK),
        case("dictionary-with-space", plist("<dict >\n</dict >").encode(), OK),
        case("without-declaration", b"<plist><dict></dict></plist>", OK),
        case("many-objects-in-binary", plistlib.dumps(
            {f"key{n}": n * 1.5 for n in range(300)} | {"k": "v"}, fmt=plistlib.FMT_BINARY), OK),
        case("65536-objects-in-binary", plistlib.dumps(
            {f"key{n}": n for n in range(40_000)}, fmt=plistlib.FMT_BINARY), OK),
        case("empty-binary-dictionary", plistlib.dumps({}, fmt=plistlib.FMT_BINARY), OK),
        case("wide-references-in-binary", document(
            [dictionary([1], [2], 8), text("k"), integer(7)], references=8, offset_size=8), OK),
    ]


def _edits() -> list[Case]:
    """What lies where the edited file goes."""

    def crowd(scene: Scene) -> None:
        # Names that a temporary file might want, taken by somebody else.
        for number in range(50):
            (scene.plist.parent / f"{scene.plist.name}.{number}").write_bytes(b"x")

    def temporary_is_folder(scene: Scene) -> None:
        (scene.plist.parent / ".godwit-tmp-00000000").mkdir()

    def temporary_is_link(scene: Scene) -> None:
        precious = scene.home / "precious"
        precious.write_bytes(b"somebody's only copy\n")
        (scene.plist.parent / ".godwit-tmp-00000000").symlink_to(precious)

    def linked_inside(scene: Scene) -> None:
        scene.plist.rename(scene.container / "real.plist")
        scene.plist.symlink_to("../../real.plist")

    def hard_linked(scene: Scene) -> None:
        os.link(scene.plist, scene.home / "other-name.plist")

    def read_only(scene: Scene) -> None:
        scene.plist.chmod(0o444)

    def odd_mode(scene: Scene) -> None:
        scene.plist.chmod(0o4755)

    def extended(scene: Scene) -> None:
        os.setxattr(scene.plist, "user.com.example", b"kept")

    def kept_mode(mode: int) -> Callable[[Scene, Call], list[str]]:
        def check(scene: Scene, call: Call) -> list[str]:
            found = scene.plist.stat().st_mode & 0o7777
            return [] if found == mode else [f"the preferences' mode is {found:o} instead of {mode:o}"]

        return check

    def precious_stays(scene: Scene, call: Call) -> list[str]:
        content = (scene.home / "precious").read_bytes()
        return [] if content == b"somebody's only copy\n" else ["a link was followed"]

    def link_stays(scene: Scene, call: Call) -> list[str]:
        return [] if scene.plist.is_symlink() else ["the link was replaced by a file"]

    return [
        Case("flag beside a crowd", crowd, OK, {"verify": OK | {1}}),
        Case("flag beside a folder of its temporary name", temporary_is_folder, OK, {"verify": OK | {1}}),
        Case("flag beside a link of its temporary name", temporary_is_link, OK, {"verify": OK | {1}},
             check=precious_stays),
        Case("flag through a link", linked_inside, OK, {"verify": OK | {1}}, check=link_stays),
        Case("flag in a file of two names", hard_linked, OK, {"verify": OK | {1}}),
        Case("flag in a read-only file", read_only, OK | {77}, {"verify": OK | {1, 77}}, check=kept_mode(0o444)),
        Case("flag in a file of odd mode", odd_mode, OK, {"verify": OK | {1}}, check=kept_mode(0o4755)),
        Case("flag in a file with attributes", extended, OK, {"verify": OK | {1}}),
    ]
