"""Whether a call kept its promises: a documented code, one clear line, no value shown, nothing written."""

from __future__ import annotations

import json
import re

from ..calling import Call
from .badinputs.storemaking import MARK

#: Codes that say that a command did what it was asked to, its verdicts included.
DONE = frozenset({0, 1, 2, 3, 4})
#: All that `docs/exit-codes.md` knows, without 70, which is a bug.
DOCUMENTED = DONE | {64, 65, 66, 73, 74, 75, 77, 78, 130, 143}

CRASHES = re.compile(r"fatal error|stack dump|traceback|backtrace|terminated by signal|Swift/.*\.swift", re.IGNORECASE)

#: What could steer a terminal or hide from a reader: C0 and C1 but the newline, separators, bidirectional controls.
UNSAFE = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ufeff]")

#: The longest line that anybody reads.
LONGEST = 4000


def faults(call: Call, codes: frozenset[int]) -> list[str]:
    """What is wrong with how a call ended; `codes` are the ones that may answer it."""
    said = []
    if call.code is None or call.code < 0:
        return [f"{call.ending}: {_start(call)}"]
    if call.code not in DOCUMENTED:
        said.append(f"exit {call.code} is not documented: {_start(call)}")
    elif call.code not in codes:
        said.append(f"exit {call.code} instead of {'/'.join(map(str, sorted(codes)))}: {_start(call)}")
    text = call.errors.decode(errors="surrogateescape")
    shown = call.output.decode(errors="surrogateescape")
    for name, stream in (("standard error", text), ("standard output", shown)):
        if any(0xDC80 <= ord(each) <= 0xDCFF for each in stream):
            said.append(f"{name} is not UTF-8")
        if match := UNSAFE.search(stream):
            said.append(f"{name} holds U+{ord(match[0]):04X}")
        if match := CRASHES.search(stream):
            said.append(f"{name} speaks of '{match[0]}'")
        if MARK in stream and "-v" not in call.words:
            said.append(f"{name} shows a value of the user's data")
    if call.code not in DONE:
        said += _line_faults(call, text)
    return said


def tells_what_was_done(call: Call) -> bool:
    """Whether stages before the failing one were committed, and the report of them comes with the error."""
    if call.words[0] not in {"run", "migrate"}:
        return False
    if "--json" not in call.words:
        return b"What is shown as done stays done." in call.errors
    try:
        report = json.loads(call.errors).get("report") or {}
    except ValueError:
        return False
    return any((report.get(stage) or {}).get("outcome") == "done" for stage in ("schema", "legacy", "dedupe"))


def _line_faults(call: Call, text: str) -> list[str]:
    """An error is one line, and its hint another; nothing else is said."""
    said = []
    if call.output and call.code not in {130, 143}:
        said.append("an error wrote to standard output")
    lines = text.splitlines()
    if "-v" in call.words:
        # The engine reports its steps as well; the error and its hint come last.
        lines = lines[-2:]
    if "--json" in call.words:
        return said + _json_faults(call, lines)
    if call.code == 64:
        return said + ([] if lines and lines[0].startswith("godwit: error: ") else ["no error line"])
    if tells_what_was_done(call):
        lines = lines[-2:]
    if not lines or not lines[0].startswith("godwit: error: "):
        return said + [f"no error line: {_start(call)}"]
    if len(lines) != 2 or not lines[1].startswith("hint: "):
        said.append(f"{len(lines)} lines instead of an error and a hint: {text!r}")
    if max(map(len, lines)) > LONGEST:
        said.append(f"a line of {max(map(len, lines))} characters")
    return said


def _json_faults(call: Call, lines: list[str]) -> list[str]:
    try:
        error = json.loads(lines[0])
    except (ValueError, IndexError):
        return [f"the error is no JSON: {_start(call)}"]
    said = []
    if len(lines) != 1:
        said.append(f"{len(lines)} lines of JSON instead of one")
    if error.get("messageType") != "error" or error.get("code") != call.code:
        said.append(f"the JSON speaks of {error.get('messageType')} {error.get('code')}")
    for key in ("message", "stage", "hint"):
        if not error.get(key):
            said.append(f"the JSON has no {key}")
    return said


def _start(call: Call) -> str:
    """How it begins, and the lines of a report that say that something failed, which come late in it."""
    text = (call.errors or call.output).decode(errors="replace").strip()
    failed = [line.strip() for line in text[300:].splitlines() if "✗" in line]
    return " | ".join([*text[:300].splitlines(), *failed[:5]])
