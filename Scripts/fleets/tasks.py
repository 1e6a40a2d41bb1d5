"""Jobs and tasks as Slurm reports them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from .bounds import said
from .cluster import Cluster

ENDED = {
    "COMPLETED", "FAILED", "CANCELLED", "TIMEOUT", "NODE_FAIL", "OUT_OF_MEMORY", "BOOT_FAIL", "DEADLINE", "PREEMPTED",
}


@dataclass(frozen=True)
class Task:
    """A job, or a task of an array."""

    state: str
    #: What it exited with and the signal that ended it: `1:0`, `0:9`.
    ending: str
    restarts: int
    #: ISO 8601 in local time, which sorts.
    started: str
    ended: str
    node: str

    @property
    def has_ended(self) -> bool:
        return self.state in ENDED


def parsed(text: str) -> dict[int, Task]:
    """What `scontrol --oneliner show job` says of an array's tasks by number, 0 for a job that is none.

    Tasks that have not started yet are one line, whose number is a list: they are left out.
    """
    tasks = {}
    for line in text.splitlines():
        fields = dict(re.findall(r"(\S+?)=(\S*)", line))
        number = fields.get("ArrayTaskId", "0")
        if "JobState" in fields and number.isdigit():
            tasks[int(number)] = Task(
                state=fields["JobState"], ending=fields.get("ExitCode", ""), restarts=int(fields.get("Restarts", 0)),
                started=fields.get("StartTime", ""), ended=fields.get("EndTime", ""), node=fields.get("NodeList", ""))
    return tasks


def tasks(cluster: Cluster, job: str) -> dict[int, Task]:
    """The tasks of a job that have started at least once."""
    return parsed(said(["scontrol", "--oneliner", "show", "job", job], cluster.environment))


def submit(cluster: Cluster, words: Sequence[str | Path], variables: dict[str, str], folder: Path) -> str:
    """Hands a script to sbatch in this folder, and gives back the number of the job."""
    text = said(["sbatch", "--parsable", *words], cluster.environment | variables, folder=folder)
    return text.strip().split(";")[0]
