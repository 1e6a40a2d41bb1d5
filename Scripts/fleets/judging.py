"""What has to hold at the end; pure, each fault in one line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from .containers import DAMAGED
from .journals import Journal
from .tasks import Task

#: Outcomes of a run that copied.
COPYING = {"done", "partial"}
#: That of a run which found everything copied, and only the last step left: the one before was killed in between.
HEALED = "healed"


def few(names: Sequence[str]) -> str:
    """The first of many."""
    return ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")


def merged(
    report: Mapping[str, Any], expected: Mapping[str, str], shards: int, cut: Collection[str]
) -> list[str]:
    """The merged report has every container once, with the verdict that its kind must have.

    None was found done but those of `cut`, which may have been at work when their task was stopped: a run that has
    nothing to do is in no history, so only its verdict shows it.
    """
    faults = []
    if report.get("shards") != shards:
        faults.append(f"the merged report is of {report.get('shards')} shards, not {shards}")
    found = Counter(row["container"] for row in report["containers"])
    for what, names in (
        ("missing in the merged report", sorted(set(expected) - set(found))),
        ("in the merged report and in no folder", sorted(set(found) - set(expected))),
        ("more than once in the merged report", sorted(name for name, times in found.items() if times > 1)),
    ):
        if names:
            faults.append(f"{len(names)} containers {what}: {few(names)}")
    wrong = [
        f"{row['container']} ({row['verdict']})" for row in report["containers"]
        if (row["verdict"] == "failed") != (expected.get(row["container"]) == DAMAGED)
    ]
    if wrong:
        faults.append(f"{len(wrong)} containers have a wrong verdict: {few(wrong)}")
    again = [row["container"] for row in report["containers"] if row["verdict"] == "unchanged"]
    again = [name for name in again if name not in cut]
    if again:
        faults.append(f"{len(again)} containers were done before, and no task was stopped at them: {few(again)}")
    verdicts = Counter(row["verdict"] for row in report["containers"])
    counts = {verdict: number for verdict, number in report["counts"].items() if number}
    if counts != dict(verdicts):
        faults.append(f"the counts {counts} are not those of the containers, {dict(verdicts)}")
    return faults


def journals(found: Mapping[int, Journal], done_before: Mapping[int, Sequence[str]], count: int) -> list[str]:
    """Journals share all containers among them, each is done once, and what one called done was not done again."""
    faults = []
    share = sum(journal.share for journal in found.values())
    if share != count:
        faults.append(f"the shares come to {share} containers of {count}")
    done = Counter(name for journal in found.values() for name in journal.done())
    twice = sorted(name for name, times in done.items() if times > 1)
    if twice:
        faults.append(f"{len(twice)} containers are done twice by the journals: {few(twice)}")
    for shard, journal in sorted(found.items()):
        if not journal.is_whole:
            faults.append(f"the journal of shard {shard} has no summary")
        if shard in done_before and journal.headers < 2:
            faults.append(f"the journal of shard {shard} has no second pass")
        if shard in done_before and not set(done_before[shard]) <= set(journal.done()):
            faults.append(f"the journal of shard {shard} has lost lines")
    return faults


def tasks(found: Mapping[int, Task], stopped: Sequence[int], journals: Mapping[int, Journal], shards: int) -> list[str]:
    """Each task ended as its containers did; those that were stopped were started once more, the others were not."""
    faults = []
    if sorted(found) != list(range(1, shards + 1)):
        faults.append(f"there were tasks {sorted(found)}, not 1 to {shards}")
    for number, task in sorted(found.items()):
        # The last word on each container: a failed one has a line for each pass.
        last = dict(journals[number].rows) if number in journals else {}
        wanted = ("FAILED", "1:0") if "failed" in last.values() else ("COMPLETED", "0:0")
        if (task.state, task.ending) != wanted:
            faults.append(f"task {number} ended {task.state} {task.ending}, not {' '.join(wanted)}")
        if task.restarts != (number in stopped):
            faults.append(f"task {number} was started {task.restarts} times more")
    return faults


def merging(merge: Task, found: Mapping[int, Task], has_damaged: bool) -> list[str]:
    """The merge came after all tasks, and exited as the fleet did."""
    faults = []
    wanted = ("FAILED", "1:0") if has_damaged else ("COMPLETED", "0:0")
    if (merge.state, merge.ending) != wanted:
        faults.append(f"the merge ended {merge.state} {merge.ending}, not {' '.join(wanted)}")
    late = [number for number, task in found.items() if task.ended > merge.started]
    if late:
        faults.append(f"the merge began at {merge.started}, before task {late[0]} had ended")
    return faults


def history(runs: Sequence[Mapping[str, Any]], receipt: str | None, may_be_cut: bool) -> list[str]:
    """A container's own runs: exactly one completed the copy.

    `may_be_cut`: it may have been at work when its task was killed. Then the run that completed it may have died before
    it could write itself down, and the next one found it done, which it does not write down.
    """
    outcomes = [run["outcome"] for run in runs]
    copied = sum(outcome in COPYING for outcome in outcomes)
    healed = outcomes.count(HEALED)
    if receipt is None:
        return ["has no receipt of a copy"]
    if copied > 1 or healed > 1 or copied and healed and not may_be_cut:
        return [f"was completed {copied + healed} times"]
    if not copied and not healed and not (may_be_cut and set(outcomes) <= {"alreadyDone", "failed"}):
        return [f"was completed by none of its runs ({', '.join(outcomes) or 'there are none'})"]
    if len(runs) > 1 and not may_be_cut:
        return [f"was run {len(runs)} times, and no task was stopped while it was at work"]
    return []
