"""What the journals of a fleet say, read without Godwit."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path

#: Verdicts after which a container is not tried again.
DONE = {"passed", "completed", "unchanged", "partial"}


def name(shard: int, shards: int) -> str:
    """What Deploy/slurm calls a shard's journal."""
    return f"shard-{shard}-of-{shards}.jsonl"


@dataclass
class Journal:
    """One file: each row is a container and its verdict, in the order of the lines."""

    share: int = 0
    rows: list[tuple[str, str]] = field(default_factory=list)
    #: Passes that began, and that came to their end.
    headers: int = 0
    summaries: int = 0
    unreadable: int = 0

    @property
    def is_whole(self) -> bool:
        """Whether a pass came to its end."""
        return self.summaries > 0

    def done(self) -> list[str]:
        """Containers that it calls done, one for each line."""
        return [container for container, verdict in self.rows if verdict in DONE]


def parsed(content: bytes) -> Journal:
    """A line that a kill has torn counts as unreadable, and for nothing."""
    journal = Journal()
    for line in content.split(b"\n"):
        if not line.strip(b"\0"):
            continue
        try:
            said = json.loads(line)
            kind = said["messageType"]
            if kind == "container":
                entry = said.get("entry", said)
                journal.rows.append((entry["container"], entry["verdict"]))
            elif kind == "summary":
                journal.summaries += 1
            else:
                journal.share = said["share"]["containers"]
                journal.headers += 1
        except (ValueError, KeyError, TypeError):
            journal.unreadable += 1
    return journal


def read(path: Path) -> Journal:
    """A journal that is not there yet is an empty one."""
    return parsed(path.read_bytes()) if path.exists() else Journal()
