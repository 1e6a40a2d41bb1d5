"""Containers whose layout is hostile: sync events, group containers, bundles, options, output places."""

from __future__ import annotations

import os
from collections.abc import Callable

from ..calling import Call
from .apps import TRAINLOG
from .case import ALL, DATA, OK, READERS, Case, Codes
from .scene import Scene

EVENTS = "Library/Application Support/sync-events.jsonl"
EVENT = '{"type":"import","startedAt":"2026-11-20T10:00:00Z","endedAt":null,"succeeded":false}'
ABSENT: Codes = frozenset({66})


def cases() -> list[Case]:
    """All of them."""
    return [*_events(), *_outputs(), *_options(), *_containers()]


def _events() -> list[Case]:
    """Lines that say nothing are passed over with a warning; a file that is none is refused."""

    def lines(content: bytes | str) -> Callable[[Scene], None]:
        raw = content if isinstance(content, bytes) else content.encode()
        return lambda scene: (scene.container / EVENTS).write_bytes(raw) and None

    def special(make: Callable[[str], object]) -> Callable[[Scene], None]:
        return lambda scene: make(str(scene.container / EVENTS)) and None

    either = OK | DATA
    found = {
        "empty": (OK, lines("")), "no newline": (OK, lines(EVENT)), "random": (either, lines(bytes(range(256)) * 100)),
        "no JSON": (either, lines("hello\n" * 100)), "nested": (either, lines("[" * 100_000 + "\n")),
        "line of 10 MiB": (either, lines('{"type":"' + "x" * (10 << 20) + '"}\n')),
        "1000000 lines": (either, lines((EVENT + "\n") * 300_000)), "bom": (either, lines("\ufeff" + EVENT)),
        "nul": (either, lines(EVENT.replace("import", "im\0port"))), "utf-16": (either, lines(EVENT.encode("utf-16"))),
        "duplicate keys": (either, lines('{"type":"import","type":"export"}\n')),
        "future": (either, lines(EVENT.replace("2026", "2999"))),
        "year 0": (either, lines(EVENT.replace("2026", "0000"))),
        "code 1e999": (either, lines(EVENT[:-1] + ',"error":{"domain":"CKErrorDomain","code":1e999}}')),
        "code 2^64": (either, lines(EVENT[:-1] + ',"error":{"domain":"CKErrorDomain","code":18446744073709551616}}')),
        "domain steers terminal": (either, lines(
            EVENT.replace("null", '"2026-11-20T10:01:00Z"')[:-1]
            + ',"error":{"domain":"\\u001b[2J\\u202e","code":9}}')),
        "ends before it begins": (either, lines(EVENT.replace("null", '"1970-01-01T00:00:00Z"'))),
        "sparse": (either, lambda scene: _sparse(scene)), "a folder": (ABSENT, special(os.mkdir)),
        "a fifo": (ABSENT, special(os.mkfifo)),
        "a link out": (frozenset({78}), special(lambda path: os.symlink("/etc/passwd", path))),
    }
    refusable = {command: OK for command in ALL}
    return [
        Case(f"events {name}", arrange, codes,
             {command: codes | OK for command in refusable} | {"verify": codes | {0, 1}}, app=TRAINLOG,
             quick=("status",), commands=("status", "export", "verify", "run"))
        for name, (codes, arrange) in found.items()
    ]


def _sparse(scene: Scene) -> None:
    (scene.container / EVENTS).write_bytes(b"")
    os.truncate(scene.container / EVENTS, 8 << 30)


def _outputs() -> list[Case]:
    """Places an output may not go to."""
    there: Codes = frozenset({73})

    def case(
        name: str, place: Callable[[Scene], str], codes: Codes, make: Callable[[str], object] | None = None
    ) -> Case:
        def arrange(scene: Scene) -> None:
            target = place(scene)
            if make:
                make(target)
            scene.words = [*scene.words, "-o", target]

        return Case(f"output {name}", arrange, codes, commands=("export", "plan", "status"), quick=("export", "plan"))

    def touch(path: str) -> None:
        with open(path, "wb") as file:
            file.write(b"precious")

    return [
        case("there already", lambda scene: f"{scene.home}/there", there, touch),
        case("is a folder", lambda scene: f"{scene.home}/folder", there, os.mkdir),
        case("is a fifo", lambda scene: f"{scene.home}/fifo", there, os.mkfifo),
        case("is a dangling link", lambda scene: f"{scene.home}/link", there,
             lambda path: os.symlink("/nowhere/at/all", path)),
        case("is a loop", lambda scene: f"{scene.home}/loop", there, lambda path: os.symlink("loop", path)),
        case("is the local store", lambda scene: str(scene.local), there),
        case("is the preferences file", lambda scene: str(scene.plist), there),
        case("is the manifest", lambda scene: str(scene.manifest), there),
        case("is the cloud store to be", lambda scene: str(scene.cloud), there),
        case("is the journal to be", lambda scene: f"{scene.local}-journal", there),
        case("is the log to be", lambda scene: f"{scene.cloud}-wal", there),
        case("in a missing folder", lambda scene: f"{scene.home}/nowhere/out.json", there | {66}),
        case("below a file", lambda scene: f"{scene.manifest}/out.json", there | {66}),
        case("name too long", lambda scene: f"{scene.home}/{'x' * 300}", there),
        case("is empty", lambda scene: "", there | {64, 66}),
        case("is a slash", lambda scene: "/", there),
        case("in proc", lambda scene: "/proc/self/evil", there | {77, 66, 74}),
        case("is a full device", lambda scene: "/dev/full", there),
    ]


def _options() -> list[Case]:
    """Words on the command line that say too much."""
    usage: Codes = frozenset({64})
    words: dict[str, tuple[str, ...]] = {
        "lock timeout negative": ("--lock-timeout", "-5s"), "lock timeout huge": ("--lock-timeout", "9" * 30),
        "lock timeout days": ("--lock-timeout", "999999999999d"), "lock timeout nan": ("--lock-timeout", "nan"),
        "format unknown": ("--format", "\x1b[31m"), "account unknown": ("--account", "evil\n"),
        "baseline of 2^64": ("--baseline", "18446744073709551616"), "unknown option": ("--\u202eevil",),
        "surplus argument": ("surplus\x07",), "empty argument": ("",), "option of 100000": ("--" + "x" * 100_000,),
    }
    found = [
        Case(f"option {name}", lambda scene: None, usage | OK, app=TRAINLOG, words=more, commands=("plan", "run"),
             quick=("plan",))
        for name, more in words.items()
    ]
    far = {"-c": "container", "-m": "manifest", "--group-container": "group container"}
    found += [
        Case(f"option {name} of {length} characters", lambda scene: None, ABSENT, app=TRAINLOG,
             words=(option, "/" + "x" * length), commands=("plan", "run"), quick=("plan",))
        for option, name in far.items() for length in (300, 5000, 100_000)
    ]
    return found + [
        Case(f"option baseline {number}", lambda scene: None, usage | OK | DATA, app=TRAINLOG,
             words=(f"--baseline={number}",), commands=("plan", "run"), quick=("plan",), settles=False)
        for number in (-1, 0, 1, 99, (1 << 63) - 1, -(1 << 63))
    ]


def _containers() -> list[Case]:
    def group(place: Callable[[Scene], str]) -> Callable[[Scene], None]:
        def arrange(scene: Scene) -> None:
            scene.words = [*scene.words, "--group-container", place(scene)]

        return arrange

    def bundle(scene: Scene) -> None:
        scene.container.rename(scene.home / "AppData")
        (scene.home / "app.xcappdata").mkdir()
        (scene.home / "AppData").rename(scene.home / "app.xcappdata/AppData")
        scene.container.symlink_to("app.xcappdata")

    def bundle_out(scene: Scene) -> None:
        scene.container.rename(scene.home / "elsewhere")
        (scene.home / "app.xcappdata").mkdir()
        (scene.home / "app.xcappdata/AppData").symlink_to("/etc")
        scene.container.symlink_to("app.xcappdata")

    def own_names(scene: Scene) -> None:
        # What only Godwit's own files are called, left by somebody else.
        folder = scene.local.parent
        (folder / ".godwit-tmp-folder").mkdir()
        (folder / ".godwit-tmp-folder/precious").write_bytes(b"x")

    def own_names_stay(scene: Scene, call: Call) -> list[str]:
        kept = (scene.local.parent / ".godwit-tmp-folder/precious").exists()
        return [] if kept else ["a folder of somebody's was emptied"]

    def scratch_of_others(scene: Scene) -> None:
        made = scene.temporary / f"godwit-scratch-{os.getuid()}-OTHER"
        made.mkdir()
        (scene.home / "precious").write_bytes(b"x")
        (made / "link").symlink_to(scene.home)
        os.utime(made, (0, 0))

    lenient = {"verify": OK | {1}}
    return [
        Case("group is missing", group(lambda scene: "/nowhere"), ABSENT, app=TRAINLOG, quick=("run",)),
        Case("group is a file", group(lambda scene: str(scene.manifest)), ABSENT, app=TRAINLOG, quick=("run",)),
        Case("group is the container", group(lambda scene: str(scene.container)), OK, lenient, app=TRAINLOG),
        Case("group is the root", group(lambda scene: "/"), OK | {78}, lenient, app=TRAINLOG, quick=("run",)),
        Case("bundle", bundle, OK, lenient, app=TRAINLOG, quick=("run",)),
        Case("bundle that leads out", bundle_out, OK | ABSENT | {77, 78}, lenient | {"verify": OK | ABSENT | {1, 78}},
             app=TRAINLOG, commands=READERS, quick=("plan",)),
        Case("names of Godwit's own", own_names, OK, lenient, app=TRAINLOG, check=own_names_stay, quick=("run",)),
        Case("scratch of a killed run with a link in it", scratch_of_others, OK, app=TRAINLOG, commands=("plan",)),
    ]
