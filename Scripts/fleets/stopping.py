"""Three ways in which a task is stopped in the middle, and requeued."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from . import journals, processes, tasks
from .bounds import Broken, said, until
from .cluster import Cluster


@dataclass(frozen=True)
class Stop:
    """One of the ways, and the task that it is done to."""

    name: str
    task: int
    carry_out: Callable[[Cluster, str, int], None]


def kill(cluster: Cluster, job: str, task: int) -> None:
    """SIGKILL to the batch script, godwit and its workers, as by a node that fails; then an operator's requeue."""
    marks = {
        "SLURM_CONF": str(cluster.configuration.path), "SLURM_ARRAY_JOB_ID": job, "SLURM_ARRAY_TASK_ID": str(task),
    }
    if processes.end(marks, signal.SIGKILL, 10) < 2:
        raise Broken(f"task {task} had no processes to kill")
    until(lambda: tasks.tasks(cluster, job)[task].has_ended, 60, f"the end of task {task} after its kill")
    said(["scontrol", "requeue", f"{job}_{task}"], cluster.environment)


def preempt(cluster: Cluster, job: str, task: int) -> None:
    """SIGTERM from Slurm, and back into the queue."""
    said(["scontrol", "requeue", f"{job}_{task}"], cluster.environment)


def warn(cluster: Cluster, job: str, task: int) -> None:
    """SIGTERM to the batch script only, as by --signal=B:TERM before the time limit; the script requeues its task."""
    said(["scancel", "--batch", "--signal=TERM", f"{job}_{task}"], cluster.environment)


#: The slow one last: the others should not have ended by then.
STOPS = (
    Stop("preempted", 5, preempt), Stop("warned of the time limit", 7, warn), Stop("killed", 3, kill),
)


def stop_all(cluster: Cluster, job: str, folder: Path, shards: int, patience: float) -> dict[int, list[str]]:
    """Stops each of the tasks when a third of its share is done.

    Gives back, by task, the containers that its journal had called done by then.
    """
    done: dict[int, list[str]] = {}
    waiting = list(STOPS)
    end = time.monotonic() + patience
    while waiting:
        if time.monotonic() > end:
            raise Broken(f"task {waiting[0].task} did not come to a third of its share within {patience:.0f} s")
        for each in list(waiting):
            journal = journals.read(folder / journals.name(each.task, shards))
            if not journal.share or len(journal.rows) < max(1, journal.share // 3):
                continue
            if journal.is_whole:
                raise Broken(f"task {each.task} had ended before it could be stopped: take more --containers")
            waiting.remove(each)
            done[each.task] = journal.done()
            each.carry_out(cluster, job, each.task)
        time.sleep(0.2)
    return done
