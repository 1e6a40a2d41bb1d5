"""The journal of a fleet, read without Godwit: what it says of each container, and what is wrong with it.

After any disturbance each line is whole, or torn and followed by the header of the next pass; no container is done twice;
and the judge checks in the container what its last line calls done.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path

#: Verdicts that need not be tried again.
DONE = ("completed", "unchanged", "partial", "passed")
HEADER, CONTAINER, SUMMARY = "fleet", "container", "summary"
#: Of a header, what may differ from pass to pass.
OF_THE_PASS = ("startedAt", "folder", "godwitVersion")


@dataclass
class Journal:
    """The lines of a journal that could be read, and what is wrong with their order and number."""

    lines: list[dict] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    ends_torn: bool = False

    @staticmethod
    def of(path: Path) -> "Journal":
        """The journal in a file; empty if the file does not exist."""
        return Journal.read(path.read_bytes()) if path.exists() else Journal()

    @staticmethod
    def read(text: bytes) -> "Journal":
        journal = Journal()
        pieces = text.split(b"\n")
        # A power cut may leave zeroes where a line was, or a part of one.
        whole = [(piece.lstrip(b"\0"), b"\0" in piece) for piece in pieces[:-1]]
        journal.ends_torn = pieces[-1] != b""
        parsed = [_parsed(piece) for piece, _ in whole]
        for place, (piece, has_hole) in enumerate(whole):
            if (line := parsed[place]) is not None:
                journal._take(line)
            elif piece and not has_hole and not _is_header(parsed[place + 1:place + 2]):
                journal.faults.append(f"the journal's line {place + 1} is torn, and no header follows it")
        return journal

    def _take(self, line: dict) -> None:
        kind = line.get("messageType")
        before = self.lines[-1] if self.lines else None
        if kind not in (HEADER, CONTAINER, SUMMARY):
            self.faults.append(f"the journal has a line of the kind {kind}")
        elif kind == HEADER:
            first = next((other for other in self.lines if other["messageType"] == HEADER), line)
            if _identity(first) != _identity(line):
                self.faults.append("the journal has headers of two passes that are not alike")
        elif before is None:
            self.faults.append("the journal does not begin with a header")
        elif before.get("messageType") == SUMMARY:
            self.faults.append(f"a {kind} follows the summary in the journal")
        elif kind == CONTAINER and self.is_done(line["entry"]["container"]):
            self.faults.append(f"{line['entry']['container']} is done twice by the journal")
        self.lines.append(line)

    def entries(self, name: str) -> list[dict]:
        """All that was said of a container, the last word last."""
        return [line for line in self.lines
                if line.get("messageType") == CONTAINER and line["entry"]["container"] == name]

    def last(self, name: str) -> dict | None:
        """The last word on a container."""
        return next(reversed(self.entries(name)), None)

    def is_done(self, name: str) -> bool:
        """Whether a container need not be tried again."""
        last = self.last(name)
        return last is not None and last["entry"]["verdict"] in DONE

    @property
    def names(self) -> set[str]:
        return {line["entry"]["container"] for line in self.lines if line.get("messageType") == CONTAINER}

    def faults_at_end(self, names: set[str], failing: frozenset[str] = frozenset()) -> list[str]:
        """What is wrong where a pass came to its end: a summary, and each container done that can be."""
        faults = list(self.faults)
        if self.ends_torn:
            faults.append("the journal's last line is torn, though a pass came to its end")
        if not self.lines or self.lines[-1].get("messageType") != SUMMARY:
            return faults + ["the journal has no summary at its end"]
        if self.names != names:
            faults.append(f"the journal is of other containers: {sorted(self.names ^ names)[:3]}")
        done = {name for name in self.names if self.is_done(name)}
        if wrong := sorted((names - failing) ^ done):
            faults.append(f"the journal's last word is wrong for {len(wrong)} containers: {wrong[:3]}")
        counts = self.lines[-1].get("counts", {})
        if sum(counts.values()) != len(names) or counts.get("failed", 0) != len(failing):
            faults.append(f"the summary counts {counts} for {len(names)} containers")
        return faults


def _parsed(piece: bytes) -> dict | None:
    try:
        found = json.loads(piece)
    except ValueError:
        return None
    return found if isinstance(found, dict) else None


def _is_header(following: list[dict | None]) -> bool:
    return bool(following) and following[0] is not None and following[0].get("messageType") == HEADER


def _identity(header: dict) -> dict:
    return {key: value for key, value in header.items() if key not in OF_THE_PASS}
