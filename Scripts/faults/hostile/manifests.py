"""Manifests that try to break out of the container, out of SQL, or out of the parser."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

from .apps import PROBE_MANIFEST
from .case import DATA, MANIFEST, OK, Case, Codes
from .scene import Arrangement, Scene, written

LOCAL = "Library/Application Support/Probe.store"
ABSENT: Codes = frozenset({66})
EITHER = MANIFEST | OK


def texts() -> list[tuple[str, Codes, str | bytes]]:
    """Those that are one file, which the fuzz target for manifests reads as well."""
    return [*_yaml(), *_bytes(), *_identifiers(), *_paths()]


def cases() -> list[Case]:
    """All of them."""
    found = [(name, codes, written("manifest", text)) for name, codes, text in texts()]
    return [
        Case(f"manifest {name}", arrange, codes, _answers(codes),
             quick=("run",) if codes == MANIFEST else ("plan", "run"))
        for name, codes, arrange in [*found, *_links(), *_special()]
    ]


def _answers(codes: Codes) -> dict[str, Codes]:
    """If a manifest may be taken, `verify` may find that nothing was migrated yet, and a store may be missing."""
    if 0 not in codes:
        return {}
    return {"verify": codes | {1} | ABSENT, "export": codes | ABSENT, "dedupe": codes | ABSENT}


def edited(part: str, replacement: str) -> str:
    """The good manifest with one part replaced, which it must have."""
    assert part in PROBE_MANIFEST, part
    return PROBE_MANIFEST.replace(part, replacement)


def _yaml() -> list[tuple[str, Codes, str | bytes]]:
    bomb = "\n".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9) if n else 'x'}]" for n in range(10))
    return [
        ("anchor", MANIFEST, edited("app: Probe", "app: &a Probe")),
        ("alias", MANIFEST, edited("app: Probe", "app: &a Probe\nx: *a")),
        ("alias-bomb", MANIFEST, bomb + "\n" + PROBE_MANIFEST),
        ("merge-key", MANIFEST, edited("app: Probe", "<<: { app: Evil }\napp: Probe")),
        ("tag", MANIFEST, edited("app: Probe", "app: !!str Probe")),
        ("tag-python", MANIFEST, edited("app: Probe", "app: !!python/object/apply:os.system ['true']")),
        ("tag-binary", MANIFEST, edited("app: Probe", "app: !!binary UHJvYmU=")),
        ("directive", MANIFEST | OK, "%YAML 1.2\n---\n" + PROBE_MANIFEST),
        ("tag-directive", MANIFEST, "%TAG ! tag:evil,2026:\n---\n" + PROBE_MANIFEST),
        ("two-documents", MANIFEST, PROBE_MANIFEST + "---\ngodwit: 1\n"),
        ("duplicate-key", MANIFEST, PROBE_MANIFEST + "app: Other\n"),
        ("duplicate-inner-key", MANIFEST, edited("{ key: id, singleton: \"1\" }", "{ key: id, key: name }")),
        ("duplicate-entity-in-other-case", MANIFEST,
         edited("  settings: {", "  Favourites: { key: id }\n  settings: {")),
        ("unknown-key", MANIFEST, PROBE_MANIFEST + "evil: true\n"),
        ("complex-key", MANIFEST, "? [a, b]\n: c\n" + PROBE_MANIFEST),
        ("null-key", MANIFEST, "~: c\n" + PROBE_MANIFEST),
        ("nested-100000", MANIFEST, "a: " + "[" * 100_000),
        ("nested-maps-50000", MANIFEST, "{a: " * 50_000),
        ("indented-10000", MANIFEST, "".join(" " * n + "a:\n" for n in range(1400))),
        ("block-scalar", MANIFEST, edited("app: Probe", "app: |\n  Probe\n  more")),
        ("version-2", MANIFEST, edited("godwit: 1", "godwit: 2")),
        ("version-huge", MANIFEST, edited("godwit: 1", "godwit: 99999999999999999999999999")),
        ("version-hex", MANIFEST | OK, edited("godwit: 1", "godwit: 0x1")),
        ("version-real", MANIFEST, edited("godwit: 1", "godwit: 1.0e0")),
        ("version-text", MANIFEST, edited("godwit: 1", 'godwit: "1"')),
        ("app-is-a-bool", MANIFEST | OK, edited("app: Probe", "app: yes")),
        ("app-steers-terminal", EITHER, edited("app: Probe", 'app: "\\e[2J\\x07\\u202eProbe"')),
        ("app-with-nul", EITHER, edited("app: Probe", 'app: "a\\0b"')),
        ("app-of-half-a-mib", EITHER, edited("app: Probe", "app: " + "x" * (1 << 19))),
        ("empty", MANIFEST, ""),
        ("only-a-comment", MANIFEST, "# nothing\n"),
        ("a-list", MANIFEST, "- godwit: 1\n"),
        ("a-word", MANIFEST, "godwit\n"),
        ("json", EITHER, json.dumps({"godwit": 1, "app": "x"})),
        ("json-nested", MANIFEST, '{"a":' * 50_000 + "1" + "}" * 50_000),
        ("history-huge", EITHER, PROBE_MANIFEST + "history: { keep: 9223372036854775807 }\n"),
        ("history-negative", MANIFEST, PROBE_MANIFEST + "history: { keep: -1 }\n"),
        ("history-0", EITHER, PROBE_MANIFEST + "history: { keep: 0 }\n"),
        ("span-huge", MANIFEST, PROBE_MANIFEST + "export: { freshness: { warnAfter: 99999999999999999d } }\n"),
        ("1000-entities", MANIFEST,
         edited("entities:\n", "entities:\n" + "".join(f"  e{n}: {{ key: id }}\n" for n in range(1000)))),
        ("100000-settings", MANIFEST | DATA,
         edited("  settings:\n", "  settings:\n" + "".join(
             f"    - {{key: x{n}, into: preferences.k}}\n" for n in range(20_000)))),
    ]


def _bytes() -> list[tuple[str, Codes, str | bytes]]:
    good = PROBE_MANIFEST.encode()
    return [
        ("larger-than-1-mib", MANIFEST, good + b"#" * (1 << 20)),
        ("bom-utf8", EITHER, b"\xef\xbb\xbf" + good),
        ("bom-utf16le", MANIFEST, PROBE_MANIFEST.encode("utf-16")),
        ("bom-utf16be", MANIFEST, b"\xfe\xff" + PROBE_MANIFEST.encode("utf-16-be")),
        ("utf32", MANIFEST, PROBE_MANIFEST.encode("utf-32")),
        ("nul", MANIFEST, good.replace(b"Probe\n", b"Pro\0be\n", 1)),
        ("invalid-utf8", MANIFEST, good.replace(b"app: Probe", b"app: Pr\xffbe")),
        ("overlong-utf8", MANIFEST, good.replace(b"app: Probe", b"app: Pr\xc0\xafbe")),
        ("control-characters", MANIFEST, good.replace(b"app: Probe", b"app: Pr\x1b[31mbe")),
        ("carriage-returns", EITHER, good.replace(b"\n", b"\r")),
        ("windows-lines", OK, good.replace(b"\n", b"\r\n")),
        ("tabs", MANIFEST, good.replace(b"  local", b"\tlocal")),
        ("next-line-characters", EITHER, PROBE_MANIFEST.replace("app: Probe\n", "app: Probe\u0085x: 1\u2028\n")),
        ("random", MANIFEST, bytes((n * 7919 >> 3) & 0xFF for n in range(10_000))),
    ]


def _identifiers() -> list[tuple[str, Codes, str | bytes]]:
    def entity(name: str) -> str:
        return edited("  settings: {", f"  {json.dumps(name)}: {{ key: id }}\n  settings: {{")

    def key(name: str) -> str:
        return edited("favourites: { key: id,", f"favourites: {{ key: {json.dumps(name)},")

    return [
        ("entity-drops-table", MANIFEST, entity('x"; DROP TABLE favourites; --')),
        ("entity-closes-quote", MANIFEST, entity('favourites" UNION SELECT * FROM "settings')),
        ("entity-with-nul", MANIFEST, entity("favourites\0x")),
        ("entity-with-combining-quote", MANIFEST, entity('x"\u0301; DROP TABLE favourites')),
        ("entity-is-schema", MANIFEST, entity("sqlite_schema")),
        ("entity-is-master-in-capitals", MANIFEST, entity("SQLITE_MASTER")),
        ("entity-is-books", MANIFEST, entity("godwit_receipt")),
        ("entity-is-pragma", MANIFEST, entity("pragma_table_xinfo")),
        ("entity-is-empty", MANIFEST, entity("")),
        ("entity-of-100000", MANIFEST, entity("x" * 100_000)),
        ("key-is-subquery", MANIFEST, key("(SELECT load_extension('x'))")),
        ("key-closes-quote", MANIFEST, key('id" FROM settings; --')),
        ("key-is-rowid", MANIFEST | DATA, key("rowid")),
        ("key-is-unknown", MANIFEST, key("nope")),
        ("modified-closes-quote", MANIFEST,
         edited("column: added", 'column: "added\\" DESC; DROP TABLE settings; --"')),
        ("into-without-dot", MANIFEST, edited("into: preferences.k }", "into: preferences }")),
        ("into-with-dots", MANIFEST, edited("into: preferences.k }", 'into: "preferences.k; DROP TABLE settings" }')),
        ("belongs-to-itself", EITHER | DATA,
         edited('singleton: "1" }', 'singleton: "1", belongsTo: { name: settings } }')),
        ("belongs-in-circle", MANIFEST,
            PROBE_MANIFEST.replace('singleton: "1" }', 'singleton: "1", belongsTo: { name: preferences } }')
            .replace("singleton: only }", "singleton: only, belongsTo: { k: settings } }")),
        ("singleton-with-quote", MANIFEST, edited('singleton: "1"', "singleton: \"1' OR '1'='1\"")),
        ("flag-is-empty", EITHER, PROBE_MANIFEST + 'copy: { flag: "" }\n'),
        ("flag-steers-terminal", EITHER, PROBE_MANIFEST + 'copy: { flag: "\\e[31m\\n</key><true/>" }\n'),
        ("flag-is-xml", OK, PROBE_MANIFEST + 'copy: { flag: "</key><true/><key>&amp;" }\n'),
        ("flag-is-a-setting", MANIFEST | OK, PROBE_MANIFEST + "copy: { flag: k }\n"),
        ("flag-of-1-mib", EITHER, PROBE_MANIFEST + f"copy: {{ flag: {'f' * 900_000} }}\n"),
    ]


def _paths() -> list[tuple[str, Codes, str | bytes]]:
    def local(path: str) -> str:
        return edited(f"local: {LOCAL}", f"local: {json.dumps(path)}")

    def preferences(path: str) -> str:
        return edited("[Library/Preferences/com.example.probe.plist]", f"[{json.dumps(path)}]")

    return [
        ("path-absolute", MANIFEST, local("/etc/passwd")),
        ("path-up", MANIFEST, local("../../etc/passwd")),
        ("path-up-inside", EITHER | {66}, local("Library/../Library/Application Support/Probe.store")),
        ("path-up-behind-missing", MANIFEST, local("nowhere/../../outside.store")),
        ("path-dot", EITHER | ABSENT, local("./Library/Application Support/Probe.store")),
        ("path-empty", MANIFEST, local("")),
        ("path-is-a-dot", MANIFEST | ABSENT, local(".")),
        ("path-slash-at-end", MANIFEST | ABSENT, local(LOCAL + "/")),
        ("path-double-slash", EITHER | {66}, local("Library//Application Support/Probe.store")),
        ("path-nul", MANIFEST, local("Library/x\0/../../etc")),
        ("path-newline", EITHER | {66}, local("Library/Application Support/Pro\nbe.store")),
        ("path-home", EITHER | {66}, local("~/x.store")),
        ("path-file-url", EITHER | {66}, local("file:///etc/passwd?immutable=1")),
        ("path-uri-parameters", EITHER | {66}, local("Library/Probe.store?mode=rwc&vfs=unix-none#x%00")),
        ("path-memory", EITHER | {66}, local(":memory:")),
        ("path-5000", MANIFEST | frozenset({66, 73}), local("x/" * 2500 + "y")),
        ("path-name-300", MANIFEST | frozenset({66, 73}), local("x" * 300)),
        ("path-backslash", EITHER | {66}, local("..\\..\\etc\\passwd")),
        ("path-invalid-scalar", EITHER | {66}, local("Library/\u202e\ufeff.store")),
        ("path-local-is-cloud", MANIFEST, local("Library/Application Support/ProbeCloud.store")),
        ("path-local-is-journal-of-cloud", MANIFEST,
         local("Library/Application Support/ProbeCloud.store-journal")),
        ("path-cloud-is-log-of-local", MANIFEST,
         edited("cloud: Library/Application Support/ProbeCloud.store", f"cloud: {LOCAL}-wal")),
        ("path-local-is-preferences", MANIFEST, local("Library/Preferences/com.example.probe.plist")),
        ("path-events-is-local", EITHER | DATA,
         edited("syncEvents: Library/Application Support/sync-events.jsonl", f"syncEvents: {LOCAL}")),
        ("path-preferences-up", MANIFEST, preferences("../godwit.yaml")),
        ("path-preferences-temporary", MANIFEST, preferences("Library/Preferences/.godwit-tmp-12345678")),
        ("path-local-temporary", MANIFEST, local("Library/Application Support/.godwit-tmp-12345678")),
        ("schema-absolute", EITHER | ABSENT | DATA, edited("schema: Migrations", "schema: /etc")),
        ("schema-up", EITHER | ABSENT | DATA, edited("schema: Migrations", "schema: ../../../../..")),
        ("schema-is-a-file", MANIFEST | ABSENT, edited("schema: Migrations", "schema: godwit.yaml")),
        ("schema-nul", MANIFEST, edited("schema: Migrations", 'schema: "a\\0b"')),
    ]


def _links() -> list[tuple[str, Codes, Arrangement]]:
    def linked(name: str, target: str) -> Arrangement:
        def arrange(scene: Scene) -> None:
            path = scene.container / name
            if path.is_dir():
                path.rename(scene.home / "moved")
            path.symlink_to(target)

        return arrange

    def moved(field: str, target: Callable[[Scene], Path], link: Callable[[Scene], object]) -> Arrangement:
        """The file or folder of a field elsewhere, with a link to it in its place."""
        def arrange(scene: Scene) -> None:
            path = getattr(scene, field)
            path.rename(target(scene))
            path.symlink_to(link(scene))

        return arrange

    support = "Library/Application Support"
    return [
        ("link-folder-out", MANIFEST, linked(support, "/tmp")),
        ("link-folder-up", MANIFEST, linked(support, "../../..")),
        ("link-preferences-out", MANIFEST, linked("Library/Preferences", "/etc")),
        ("link-store-out", MANIFEST, moved(
            "local", lambda scene: scene.home / "outside.store", lambda scene: scene.home / "outside.store")),
        ("link-store-inside", OK, moved(
            "local", lambda scene: scene.container / "inside.store", lambda _: "../../inside.store")),
        ("link-cloud-dangling-out", MANIFEST | ABSENT, linked(f"{support}/ProbeCloud.store", "/tmp/x/y")),
        ("link-cloud-to-local", MANIFEST, lambda scene: scene.cloud.symlink_to(scene.local.name)),
        ("link-cloud-hard-to-local", MANIFEST, lambda scene: os.link(scene.local, scene.cloud)),
        ("link-container", OK, moved("container", lambda scene: scene.home / "real", lambda _: "real")),
    ]


def _special() -> list[tuple[str, Codes, Arrangement]]:
    """Files of a special kind or size in the place of the manifest."""

    def replaced(make: Callable[[Path], object]) -> Arrangement:
        return lambda scene: (scene.manifest.unlink(), make(scene.manifest))

    return [
        ("sparse-8-gib", MANIFEST, lambda scene: os.truncate(scene.manifest, 8 << 30)),
        ("a-store", MANIFEST, lambda scene: scene.manifest.write_bytes(scene.local.read_bytes())),
        ("missing", ABSENT, replaced(lambda path: None)),
        ("is-a-folder", ABSENT | MANIFEST, replaced(lambda path: path.mkdir())),
        ("is-a-fifo", ABSENT | MANIFEST, replaced(os.mkfifo)),
        ("is-zero-device", ABSENT | MANIFEST, replaced(lambda path: path.symlink_to("/dev/zero"))),
        ("is-a-loop", ABSENT | MANIFEST, replaced(lambda path: path.symlink_to(path.name))),
        ("is-proc-mem", ABSENT | MANIFEST | frozenset({74}), replaced(lambda path: path.symlink_to("/proc/self/mem"))),
        ("is-proc-environ", ABSENT | MANIFEST, replaced(lambda path: path.symlink_to("/proc/self/environ"))),
    ]
