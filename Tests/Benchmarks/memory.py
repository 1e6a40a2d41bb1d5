"""The most memory that each command takes, once each, in an order in which each of them has something to do."""

from __future__ import annotations

from pathlib import Path

from . import trainlog
from .measuring import run
from .setting import Setting, line

#: MiB, of any command, for any number of records.
BOUND = 64


def commands(at: Setting) -> list[tuple[str, str]]:
    """Each with its name. One container goes through the stages one by one, the other through all of them at once."""
    by_stages, at_once = at.undone("by-stages"), at.undone("fleet") / "at-once"
    manifest: list[str | Path] = ["-m", trainlog.MANIFEST]
    out, document, journal = at.scratch / "exports", at.scratch / "whole.json", at.scratch / "journal.jsonl"
    return [
        ("inspect", at.godwit("inspect", None, by_stages)),
        ("init", at.godwit("init", None, by_stages, "-o", at.scratch / "draft")),
        ("plan", at.godwit("plan", by_stages)),
        ("migrate", at.godwit("migrate", by_stages)),
        ("dedupe", at.godwit("dedupe", by_stages)),
        ("copy", at.godwit("copy", by_stages)),
        ("verify", at.godwit("verify", by_stages)),
        ("status", at.godwit("status", by_stages)),
        ("history", at.godwit("history", by_stages)),
        ("run", at.godwit("run", at_once)),
        ("run, all done", at.godwit("run", at_once)),
        ("run --all", at.godwit("run", None, "--all", at_once.parent, *manifest, "--journal", journal)),
        ("merge-reports", at.godwit("merge-reports", None, journal)),
        ("export", at.godwit("export", at_once, "-o", document)),
        ("export --lines", at.godwit("export", at_once, "--lines", "-o", at.scratch / "lines.jsonl")),
        ("export --gzip", at.godwit("export", at_once, "--gzip", "--into", out)),
        ("export --if-changed", at.godwit("export", at_once, "--gzip", "--if-changed", "--into", out)),
        # The records' dates are invented; how old they are is not what is asked.
        ("freshness", at.godwit("freshness", None, out, "--error-after", "36500d")),
        ("forget", at.godwit("forget", None, out, "--keep-last", "1")),
        ("schedule", at.godwit("schedule", at_once, "--cron", "--into", out)),
        ("import", at.godwit("import", None, document, *manifest, "-o", at.scratch / "imported.store")),
        ("plan of a store in WAL mode", at.godwit("plan", at.undone("by-stages-wal"))),
    ]


def peaks(at: Setting) -> dict[str, float]:
    """MiB by command."""
    (at.scratch / "exports").mkdir()
    (at.scratch / "fleet").mkdir()
    for made in (at.restored("by-stages"), at.restored("fleet/at-once"), at.restored("by-stages-wal", at.wal)):
        run(made)
    found = {name: run(command).mebibytes for name, command in commands(at)}
    # What is measured next has the disk for itself.
    run(line(["rm", "-rf", *(at.scratch / name for name in ("by-stages", "by-stages-wal", "fleet", "exports"))]))
    return found
