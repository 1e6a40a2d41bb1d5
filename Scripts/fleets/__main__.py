"""Runs a fleet on a Slurm of its own, stops tasks in the middle, and proves that nothing is missing or done twice."""

from __future__ import annotations

import argparse
import json
import os
import shutil
import signal
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from . import containers, journals, judging, looking, stopping, tasks
from .bounds import Broken, until
from .cluster import Cluster, new_folder

SHARDS = 8
#: Containers at a time in one task.
JOBS = 2
DEPLOY = containers.ROOT / "Deploy" / "slurm"


@dataclass(frozen=True)
class Place:
    """Where the fleet of a test is. With a space in its path: nothing may depend on there being none."""

    folder: Path

    @property
    def data(self) -> Path:
        return self.folder / "app data"

    @property
    def containers(self) -> Path:
        return self.data / "backups"

    @property
    def journals(self) -> Path:
        return self.data / "journals of 8"

    @property
    def scratch(self) -> Path:
        """What a killed task leaves stays in here."""
        return self.data / "node's own disk"

    @property
    def report(self) -> Path:
        return self.data / "fleet.json"


def say(text: str) -> None:
    print(f"fleet: {text}", file=sys.stderr, flush=True)


def make(place: Place, options: argparse.Namespace) -> tuple[dict[str, str], Path]:
    """The containers and the manifest."""
    place.scratch.mkdir(parents=True)
    names = containers.names(options.containers, options.damaged_every)
    for name, kind in names.items():
        containers.make(place.containers / name, kind)
    return names, containers.write_manifest(place.data)


def run_fleet(cluster: Cluster, place: Place, options: argparse.Namespace) -> tuple[str, str, dict[int, list[str]]]:
    """Submits the array and its merge, with relative paths as a user would; stops tasks; waits for the end.

    Gives back the two jobs, and what the journals of stopped tasks had called done.
    """
    variables = {"GODWIT": str(options.binary), "GODWIT_JOURNALS": place.journals.name, "TMPDIR": str(place.scratch)}
    job = tasks.submit(
        cluster,
        [f"--cpus-per-task={JOBS}", DEPLOY / "godwit-fleet.sbatch", "run", "--all", "backups", "-m", "godwit.yaml"],
        variables, place.data)
    merge = tasks.submit(
        cluster, [f"--dependency=afterany:{job}", DEPLOY / "godwit-merge.sbatch", "--json", "-o", place.report.name],
        variables, place.data)
    say(f"submitted as job {job}, its merge as {merge}")
    done = stopping.stop_all(cluster, job, place.journals, SHARDS, options.patience)
    say("stopped " + ", ".join(f"task {each.task} ({each.name})" for each in stopping.STOPS))

    def has_ended() -> bool:
        found = tasks.tasks(cluster, merge)
        return 0 in found and found[0].has_ended
    until(has_ended, options.patience, "the end of the fleet and its merge", pause=1)
    return job, merge, done


def cut_containers(found: dict[int, journals.Journal], done: dict[int, list[str]]) -> set[str]:
    """Containers of stopped tasks that were not done when it was stopped: some of them were at work."""
    return {name for task, before in done.items() for name, _ in found[task].rows if name not in before}


def judge(cluster: Cluster, place: Place, jobs: tuple[str, str, dict[int, list[str]]], names: dict[str, str],
          look: looking.Look) -> tuple[list[str], str]:
    """All faults, and the figures."""
    job, merge, done = jobs
    found = {shard: journals.read(place.journals / journals.name(shard, SHARDS)) for shard in range(1, SHARDS + 1)}
    ended, merged = tasks.tasks(cluster, job), tasks.tasks(cluster, merge)[0]
    damaged = sum(kind == containers.DAMAGED for kind in names.values())
    faults = judging.journals(found, done, len(names))
    faults += judging.tasks(ended, list(done), found, SHARDS) + judging.merging(merged, ended, damaged > 0)
    for each in stopping.STOPS:
        log = (place.data / f"godwit-fleet-{job}_{each.task}.log").read_text(errors="replace")
        if each.carry_out is stopping.warn and "requeued; it goes on" not in log:
            faults.append(f"the log of task {each.task} does not say that it requeued itself")
    if not place.report.exists():
        log = (place.data / f"godwit-merge-{merge}.log").read_text(errors="replace")
        return [*faults, f"there is no merged report: {log.strip()[-500:]}"], ""
    report = json.loads(place.report.read_text(encoding="utf-8"))
    faults += judging.merged(report, names, SHARDS, look.cut)
    seen = looking.at_all(look, names)
    faults += seen.faults
    again = seen.run_again + report["counts"].get("unchanged", 0)
    if again > len(done) * JOBS:
        faults.append(f"{again} containers were run again, and no more than {len(done) * JOBS} were at work")
    nodes = {task.node for task in ended.values()}
    counts = ", ".join(f"{number} {verdict}" for verdict, number in report["counts"].items())
    return faults, (
        f"{len(names)} containers ({damaged} damaged on purpose) in {SHARDS} tasks on {len(nodes)} nodes; "
        f"{len(done)} tasks stopped in the middle ({', '.join(each.name for each in stopping.STOPS)}) and requeued; "
        f"merged: {counts}; {seen.equal} stores as one single run leaves them, {seen.records} records; "
        f"{again} at work when their task was stopped, and completed by then")


def show(options: argparse.Namespace) -> int:
    """The whole of it."""
    place = Place(new_folder())
    faults: list[str] = ["it did not come to its end"]
    start = time.monotonic()
    try:
        names, manifest = make(place, options)
        say(f"made {len(names)} containers in {place.containers}")
        with Cluster(place.folder) as cluster:
            models = {
                kind: containers.model(kind, place.data / "single" / kind, options.binary, manifest, cluster.environment)
                for kind in containers.KINDS
            }
            say(f"Slurm is up, {len(cluster.configuration.nodes)} nodes")
            begun = time.monotonic()
            jobs = run_fleet(cluster, place, options)
            took = time.monotonic() - begun
            say(f"ended after {took:.0f} s; now looking at every container")
            found = {task: journals.read(place.journals / journals.name(task, SHARDS)) for task in jobs[2]}
            look = looking.Look(
                root=place.containers, binary=options.binary, manifest=manifest, environment=cluster.environment,
                models=models, cut=cut_containers(found, jobs[2]))
            faults, figures = judge(cluster, place, jobs, names, look)
        for fault in faults[:20]:
            print(f"FAILED: {fault}", file=sys.stderr)
        total = time.monotonic() - start
        print(f"fleet: {len(faults)} failed; {figures}; fleet {took:.0f} s, all {total:.0f} s", flush=True)
    except Broken as reason:
        print(f"FAILED: {reason}", file=sys.stderr)
    except (KeyboardInterrupt, SystemExit):
        faults.clear()    # stopped by a signal: there is nothing to judge
        raise
    finally:
        if faults or options.keep:
            say(f"kept: {place.folder}")
        else:
            shutil.rmtree(place.folder, ignore_errors=True)
    return 1 if faults else 0


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="Scripts/fleet", description=__doc__)
    parser.add_argument("--binary", type=Path, required=True, help="the godwit to run")
    parser.add_argument("--containers", type=int, default=2000, help="how many; at least 80; default: 2000")
    parser.add_argument("--damaged-every", type=int, default=250, metavar="N", help="0: none is; default: 250")
    parser.add_argument("--patience", type=float, default=1800, metavar="SECONDS", help="for the fleet; default: 1800")
    parser.add_argument("--keep", action="store_true", help="leave the folder where all holds, too")
    options = parser.parse_args(arguments)
    if options.containers < 80:
        parser.error("take 80 containers at least: every task has to have some in its middle")
    if not os.access(options.binary, os.X_OK):
        parser.error(f"{options.binary} is no program")
    options.binary = options.binary.resolve()
    # Ended by a signal, what was started is ended as well.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        return show(options)
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
