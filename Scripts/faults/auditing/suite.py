"""The tests of the command line, with every command they start recorded."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import time
from pathlib import Path

from ..hostile.apps import REPOSITORY, TRAINLOG
from ..outcome import Outcome
from ..settings import Settings
from .recording import TRACED, Recording
from .rules import Audit, Bounds

#: Runs strace next to the command, not as its parent: signals that a test sends must reach the command itself (`-D`).
WRAPPER = """#!/bin/sh
log=$(mktemp {folder}/XXXXXXXXXX) || exit 1
{{ pwd; printf '%s\\n' "${{TMPDIR:-/tmp}}"; }} > "$log.place"
for word in "$@"; do printf '%s\\0' "$word"; done > "$log.words"
manifest=godwit.yaml before=""
for word in "$@"; do
    case $before in -m | --manifest) manifest=$word ;; esac
    before=$word
done
cp "$manifest" "$log.manifest" 2> /dev/null
exec strace -D -f -qq -y -s 0 -e {traced} -e signal=none -o "$log" -- "$@"
"""

WRITERS = {"run", "migrate", "dedupe", "copy", "import"}
FILE_OPTIONS = {"-m", "--manifest", "-c", "--container", "--group-container", "-o", "--output"}


def audit_suite(settings: Settings, outcome: Outcome, places: set[str]) -> str:
    """Runs the suite and audits each command; the note says what was done, or why nothing was."""
    if shutil.which("swift") is None:
        return "the tests of the command line were SKIPPED: swift is not here"
    folder = settings.base / "suite"
    folder.mkdir()
    wrapper = settings.base / "wrapper"
    wrapper.write_text(WRAPPER.format(folder=folder, traced=TRACED))
    wrapper.chmod(0o755)
    done = subprocess.run(
        ["swift", "test", "--filter", "GodwitCLITests"], cwd=REPOSITORY, capture_output=True, text=True, check=False,
        env=os.environ | {"GODWIT_TEST_WRAPPER": str(wrapper)})
    if done.returncode != 0:
        outcome.failed(f"the tests of the command line fail under strace: {(done.stdout + done.stderr)[-2000:]}")
    # The tracers write on for a moment after the commands have ended.
    time.sleep(2)
    commands = 0
    for log in sorted(folder.iterdir()):
        if log.suffix:
            continue
        commands += 1
        words, audit = _audited(log)
        outcome.judge(f"tests: godwit {' '.join(words)}", audit.findings)
        places |= audit.system
    if commands == 0:
        outcome.failed("the tests of the command line started nothing under GODWIT_TEST_WRAPPER")
    return f"{commands} of them by the tests of the command line"


def _audited(log: Path) -> tuple[list[str], Audit]:
    words = [os.fsdecode(word) for word in log.with_suffix(".words").read_bytes().split(b"\0")[:-1]]
    folder, temporary = log.with_suffix(".place").read_text().splitlines()
    binary, words = words[0], words[1:]
    recording = Recording.read(log.read_text(errors="surrogateescape"), folder)
    manifest = log.with_suffix(".manifest")
    names = _files_of(manifest.read_text(errors="replace") if manifest.exists() else "")
    return words, Audit(recording, _bounds(words, folder, temporary, names), os.path.realpath(binary))


def _files_of(manifest: str) -> tuple[list[str], list[str]]:
    """The stores and the first preferences file that a manifest names, besides those of the sample."""
    def found(pattern: str) -> list[str]:
        return [name.strip().strip("\"'") for name in re.findall(pattern, manifest)]

    stores = found(r"\b(?:local|cloud)[\"']?:\s*(?:\{?\s*path:)?\s*([^\n,}#]+)")
    return [TRAINLOG.local, TRAINLOG.cloud, *stores], [
        TRAINLOG.plist, *found(r"\bpreferences[\"']?:\s*\[?\s*(?:-\s*)?([^\n,\]#]+)")]


def _bounds(words: list[str], folder: str, temporary: str, names: tuple[list[str], list[str]]) -> Bounds:
    """The bounds that a command line sets: the folders of what it names."""

    def absolute(path: str) -> str:
        return os.path.realpath(os.path.join(folder, path))

    options: dict[str, str] = {}
    for word, following in zip(words, words[1:]):
        if word in FILE_OPTIONS:
            options[word.lstrip("-")[0]] = following
    manifest = absolute(options.get("m", "godwit.yaml"))
    container = absolute(options.get("c", os.path.join(os.path.dirname(manifest), "container")))
    output = options.get("o")
    outputs = [os.path.normpath(os.path.join(absolute(os.path.dirname(output) or "."), os.path.basename(output)))
               ] if output and output != "-" else []
    command = next((word for word in words if not word.startswith("-")), "")
    dry = "-n" in words or "--dry-run" in words
    stores, preferences = ([os.path.join(container, name) for name in kind] for kind in names)
    documents = [absolute(word) for word in words[1:] if command == "import" and os.path.exists(absolute(word))]
    return Bounds(
        # A manifest names its schema folder relative to its own folder.
        named=[os.path.dirname(manifest), container, str(REPOSITORY / "Migrations"), str(REPOSITORY / "SampleData"),
               *map(os.path.dirname, outputs), *map(os.path.dirname, documents)],
        temporary=os.path.realpath(temporary), writes=command in WRITERS and not dry, outputs=outputs, writable=stores,
        replaceable=preferences + (outputs if "--replace" in words else []))
