"""Containers whose layout is hostile: sync events, group containers, bundles, options, output paths."""

from __future__ import annotations

import os
from collections.abc import Callable

from ..calling import Call
from .apps import TRAINLOG
from .case import ALL, DATA, OK, READERS, Case, Codes
from .scene import Arrangement, Scene, unchanged

EVENTS = "Library/Application Support/sync-events.jsonl"
EVENT = '{"type":"import","startedAt":"2026-11-20T10:00:00Z","endedAt":null,"succeeded":false}'
ABSENT: Codes = frozenset({66})


def cases() -> list[Case]:
    """All of them."""
    return [*_events(), *_outputs(), *_options(), *_containers()]


def event_texts() -> dict[str, tuple[Codes, str | bytes]]:
    """Files of sync events that the fuzz target reads as well; lines that say nothing are skipped with a warning."""
    either = OK | DATA

    def failed(domain: str, code: str) -> str:
        return EVENT[:-1] + f',"error":{{"domain":"{domain}","code":{code}}}}}'

    return {
        "empty": (OK, ""), "no newline": (OK, EVENT), "random": (either, bytes(range(256)) * 100),
        "no JSON": (either, "hello\n" * 100), "nested": (either, "[" * 100_000 + "\n"),
        "line of 10 MiB": (either, '{"type":"' + "x" * (10 << 20) + '"}\n'),
        "1000000 lines": (either, (EVENT + "\n") * 300_000), "bom": (either, "\ufeff" + EVENT),
        "nul": (either, EVENT.replace("import", "im\0port")), "utf-16": (either, EVENT.encode("utf-16")),
        "duplicate keys": (either, '{"type":"import","type":"export"}\n'),
        "future": (either, EVENT.replace("2026", "2999")), "year 0": (either, EVENT.replace("2026", "0000")),
        "code 1e999": (either, failed("CKErrorDomain", "1e999")),
        "code 2^64": (either, failed("CKErrorDomain", "18446744073709551616")),
        "domain steers terminal": (either, failed("\\u001b[2J\\u202e", "9").replace(
            "null", '"2026-11-20T10:01:00Z"')),
        "ends before it begins": (either, EVENT.replace("null", '"1970-01-01T00:00:00Z"')),
    }


def _events() -> list[Case]:
    """The texts, and files of a special kind in their place."""

    def text(content: str | bytes) -> Arrangement:
        raw = content if isinstance(content, bytes) else content.encode()
        return lambda scene: (scene.container / EVENTS).write_bytes(raw)

    def special(make: Callable[[str], object]) -> Arrangement:
        return lambda scene: make(str(scene.container / EVENTS))

    def sparse(path: str) -> None:
        with open(path, "wb") as file:
            file.truncate(8 << 30)

    found = {name: (codes, text(content)) for name, (codes, content) in event_texts().items()} | {
        "sparse": (OK | DATA, special(sparse)), "a folder": (ABSENT, special(os.mkdir)),
        "a fifo": (ABSENT, special(os.mkfifo)),
        "a link out": (frozenset({78}), special(lambda path: os.symlink("/etc/passwd", path))),
    }
    return [
        Case(f"events {name}", arrange, codes,
             {command: codes | OK for command in ALL} | {"verify": codes | {0, 1}}, app=TRAINLOG,
             quick=("status",), commands=("status", "export", "verify", "run"))
        for name, (codes, arrange) in found.items()
    ]


def _outputs() -> list[Case]:
    """Paths that an output may not have."""
    there: Codes = frozenset({73})

    def case(name: str, path: str, codes: Codes, make: Callable[[str], object] = lambda _: None) -> Case:
        def arrange(scene: Scene) -> None:
            target = path.format(long="x" * 300, **vars(scene))
            make(target)
            scene.words = [*scene.words, "-o", target]

        return Case(f"output {name}", arrange, codes, commands=("export", "plan", "status"), quick=("export", "plan"))

    def touch(path: str) -> None:
        with open(path, "wb") as file:
            file.write(b"precious")

    return [
        case("there already", "{home}/there", there, touch),
        case("is a folder", "{home}/folder", there, os.mkdir),
        case("is a fifo", "{home}/fifo", there, os.mkfifo),
        case("is a dangling link", "{home}/link", there, lambda path: os.symlink("/nowhere/at/all", path)),
        case("is a loop", "{home}/loop", there, lambda path: os.symlink("loop", path)),
        case("is the local store", "{local}", there),
        case("is the preferences file", "{plist}", there),
        case("is the manifest", "{manifest}", there),
        case("is the cloud store to be", "{cloud}", there),
        case("is the journal to be", "{local}-journal", there),
        case("is the log to be", "{cloud}-wal", there),
        case("in a missing folder", "{home}/nowhere/out.json", there | {66}),
        case("below a file", "{manifest}/out.json", there | {66}),
        case("name too long", "{home}/{long}", there),
        case("is empty", "", there | {64, 66}),
        case("is a slash", "/", there),
        case("in proc", "/proc/self/evil", there | {77, 66, 74}),
        case("is a full device", "/dev/full", there),
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
        Case(f"option {name}", unchanged, usage | OK, app=TRAINLOG, words=more, commands=("plan", "run"),
             quick=("plan",))
        for name, more in words.items()
    ]
    far = {"-c": "container", "-m": "manifest", "--group-container": "group container"}
    found += [
        Case(f"option {name} of {length} characters", unchanged, ABSENT, app=TRAINLOG,
             words=(option, "/" + "x" * length), commands=("plan", "run"), quick=("plan",))
        for option, name in far.items() for length in (300, 5000, 100_000)
    ]
    return found + [
        Case(f"option baseline {number}", unchanged, usage | OK | DATA, app=TRAINLOG,
             words=(f"--baseline={number}",), commands=("plan", "run"), quick=("plan",), settles=False)
        for number in (-1, 0, 1, 99, (1 << 63) - 1, -(1 << 63))
    ]


def _containers() -> list[Case]:
    def group(path: str) -> Arrangement:
        def arrange(scene: Scene) -> None:
            scene.words = [*scene.words, "--group-container", path.format(**vars(scene))]

        return arrange

    def bundle(scene: Scene) -> None:
        (scene.home / "app.xcappdata").mkdir()
        scene.container.rename(scene.home / "app.xcappdata/AppData")
        scene.container.symlink_to("app.xcappdata")

    def bundle_out(scene: Scene) -> None:
        scene.container.rename(scene.home / "elsewhere")
        (scene.home / "app.xcappdata").mkdir()
        (scene.home / "app.xcappdata/AppData").symlink_to("/etc")
        scene.container.symlink_to("app.xcappdata")

    def own_names(scene: Scene) -> None:
        # A name of Godwit's own temporary files, used by another program.
        folder = scene.local.parent / ".godwit-tmp-folder"
        folder.mkdir()
        (folder / "precious").write_bytes(b"x")

    def own_names_stay(scene: Scene, _: Call) -> list[str]:
        is_kept = (scene.local.parent / ".godwit-tmp-folder/precious").exists()
        return [] if is_kept else ["a folder of another program was emptied"]

    def scratch_of_others(scene: Scene) -> None:
        made = scene.temporary / f"godwit-scratch-{os.getuid()}-OTHER"
        made.mkdir()
        (scene.home / "precious").write_bytes(b"x")
        (made / "link").symlink_to(scene.home)
        os.utime(made, (0, 0))

    lenient = {"verify": OK | {1}}
    return [
        Case("group is missing", group("/nowhere"), ABSENT, app=TRAINLOG, quick=("run",)),
        Case("group is a file", group("{manifest}"), ABSENT, app=TRAINLOG, quick=("run",)),
        Case("group is the container", group("{container}"), OK, lenient, app=TRAINLOG),
        Case("group is the root", group("/"), OK | {78}, lenient, app=TRAINLOG, quick=("run",)),
        Case("bundle", bundle, OK, lenient, app=TRAINLOG, quick=("run",)),
        Case("bundle that leads out", bundle_out, OK | ABSENT | {77, 78}, lenient | {"verify": OK | ABSENT | {1, 78}},
             app=TRAINLOG, commands=READERS, quick=("plan",)),
        Case("names of Godwit's own", own_names, OK, lenient, app=TRAINLOG, check=own_names_stay, quick=("run",)),
        Case("scratch of a killed run with a link in it", scratch_of_others, OK, app=TRAINLOG, commands=("plan",)),
    ]
