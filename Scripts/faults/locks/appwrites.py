"""An app that goes on while Godwit works: promise 2 against a live writer.

At every call the command is stopped, an app writes two records in one transaction, and the command goes on. With any
outcome the app's records must be there, whole; the flag may be true only if they are in the cloud store as well; and a
command that gave up (75) must complete the next time.
"""

from __future__ import annotations

import json
import sqlite3
from contextlib import ExitStack, closing
from dataclasses import dataclass, replace
from pathlib import Path

from .. import pausing, reading, tracing
from ..birdlog import CLOUD, CONTAINER, LOCAL, OUTPUT, PREFERENCES, VARIANTS
from ..judgment import Box
from ..outcome import Outcome
from ..pausing import Paused
from ..scenario import Scenario, execute
from ..settings import Settings
from ..state import State
from ..tracing import Point
from .liveapp import LATE_KEY, ROWS, Write, write_once

NOUN = "writes of a live app"


@dataclass(frozen=True)
class Plan:
    """A command, the file that the app writes during it, and whether the app has that file open all the time."""

    scenario: Scenario
    target: str
    stays_open: bool = False

    @property
    def is_sharp(self) -> bool:
        """Whether a flag might be set for records that were not copied."""
        return self.scenario.command in ("run", "copy") and self.target == LOCAL and not self.stays_open

    @property
    def name(self) -> str:
        how = ", open all along" if self.stays_open else ""
        return f"{self.scenario.name}, app writes {self.target.rsplit('/', 1)[-1]}{how}"


def plans() -> list[Plan]:
    """Each command on each kind of container, with an app that writes each of the files that the command reads."""
    found: list[Plan] = []
    for variant in VARIANTS:
        ready = (("migrate",), ("dedupe",))
        commands = [
            Scenario("run", variant), Scenario("copy", variant),
            Scenario("copy", variant, before=ready, title="copy of a ready store"),
            Scenario("migrate", variant), Scenario("dedupe", variant),
            Scenario("export", variant, ("-o", "{out}/birdlog.json"), product="birdlog.json"),
        ]
        for scenario in commands:
            found.append(Plan(scenario, LOCAL))
            if variant.journal == "wal":
                found.append(Plan(scenario, LOCAL, stays_open=True))
            if variant.cloud == "existing" and scenario.command in ("run", "copy"):
                found.append(Plan(scenario, CLOUD))
            if variant.journal == "delete" and scenario.command in ("run", "copy"):
                found.append(Plan(scenario, PREFERENCES))
    return found


def run(settings: Settings, outcome: Outcome) -> None:
    for plan in settings.chosen(plans()):
        # The quick sweep takes some of the plans, and with them some of the points.
        if settings.quick and settings.offset(plan.name) % 5 and not plan.is_sharp:
            continue
        box = Box(plan.scenario, settings.binary, settings.base)
        with box.copied() as folder:
            calls = pausing.counted(box.argv(folder), folder, pausing.CALLS)
        points = chosen_points(plan, calls, settings)
        settings.each(lambda point: disturb(box, plan, point, outcome), points)
        settings.say(f"{plan.name}: {len(points)} points")


def chosen_points(plan: Plan, calls: dict[str, int], settings: Settings) -> list[Point]:
    """All writing calls if a flag might be set wrongly; a spread of the others, and of calls that only read."""
    is_sharp = plan.is_sharp
    writing, looking = (1, 23) if is_sharp else (9, 67)
    if plan.target == PREFERENCES:
        writing, looking = 9, 9
    if settings.quick:
        writing, looking = (97, 797) if is_sharp else (61, 397)
    return pausing.spread(
        calls, settings.offset(plan.name), lambda call: looking if call in pausing.LOOKING else writing)


def disturb(box: Box, plan: Plan, point: Point, outcome: Outcome) -> None:
    """One stop, one write, and the judgement."""
    with box.copied() as folder, ExitStack() as stack:
        container = folder / CONTAINER
        target = container / plan.target
        living = None
        if plan.stays_open:
            living = stack.enter_context(
                closing(sqlite3.connect(target, isolation_level=None, check_same_thread=False)))
            living.execute("SELECT count(*) FROM Species").fetchone()
        with Paused(box.argv(folder), folder, point, follow=()) as command:
            write = Write()
            if command.stopped and target.exists():
                # At a store that is locked the app waits, as apps do, while the command goes on.
                write = write_once(container, plan.target, living, patience=0)
                command.go_on()
                if not write.done:
                    write = write_once(container, plan.target, living, patience=30)
                if not write.done:
                    outcome.failed(f"{plan.name}, stopped at {point}: the app can't write any more")
                    return
            command.go_on()
            ended = command.end()
        # The judge reads the store without the app.
        stack.close()
        if ended.fired:
            outcome.judge(f"{plan.name}, stopped at {point}", judge(box, plan, folder, write, ended))


# Judging


def judge(box: Box, plan: Plan, folder: Path, write: Write, ended: tracing.Ending) -> list[str]:
    """What must hold after the command, and after it was run again if it gave up."""
    if ended.status is None:
        return ["it hangs"]
    # A write after the flag is the app's own, but `run` checks once more at its end and reports it.
    is_late = write.done and not write.before_flag and plan.target == LOCAL
    if ended.status not in (0, 75) and not (ended.status == 1 and is_late):
        return [f"it exits {ended.status}: {error_line(ended.stderr)}"]
    faults = faults_of_app(plan, folder, write)
    if not write.done or faults:
        return faults or box.faults_at_end(folder)
    if plan.scenario.product and ended.status == 0:
        return faults_of_export(box, folder)
    if ended.status == 75:
        if reading.flag(folder / CONTAINER) and not box.before.flag:
            return ["it exits 75 with the flag set"]
        done = execute(box.argv(folder), folder)
        if done.returncode != 0:
            return [f"the run afterwards exits {done.returncode}: {error_line(done.stderr)}"]
        faults = faults_of_app(plan, folder, write)
        if plan.scenario.product:
            return faults or faults_of_export(box, folder)
    return faults or faults_at_end(box, plan, folder, write, is_repeated=ended.status == 75)


def error_line(stderr: str) -> str:
    """The error line of a command, without the report of what it had done before."""
    return next((line for line in stderr.splitlines() if "error:" in line), "nothing")


def faults_of_app(plan: Plan, folder: Path, write: Write) -> list[str]:
    """The app's records must be there, and the flag may be true only with them."""
    container = folder / CONTAINER
    if not write.done:
        return []
    if plan.target == PREFERENCES:
        there = reading.other_keys(container).get(LATE_KEY) == reading.typed(True)
        return [] if there else ["what the app wrote to the preferences is gone"]
    faults = [] if has_rows(container / plan.target) else ["what the app wrote is gone"]
    if plan.target == LOCAL and write.before_flag and reading.flag(container) and not has_rows(container / CLOUD):
        faults.append("the flag is set though the app's records are not in the cloud store")
    return faults


def has_rows(store: Path) -> bool:
    if not store.exists():
        return False
    with reading.opened(store) as connection:
        return all(connection.execute(f"SELECT count(*) FROM {table} WHERE id = ?", (row["id"],)).fetchone() == (1,)
                   for table, row in ROWS.items())


def noted_once(state: State) -> State:
    return replace(state, removed=tuple(frozenset(kept) for kept in state.removed),
                   changed=tuple(frozenset(kept) for kept in state.changed))


def faults_at_end(box: Box, plan: Plan, folder: Path, write: Write, is_repeated: bool) -> list[str]:
    """The state must be that of an undisturbed run with the app's records, and nothing else."""
    state = State.of(folder, box.scenario.product)
    expected = box.after
    if is_repeated and plan.scenario.command == "copy":
        # Each copy of a store records the duplicates of that store, which it only reads.
        state, expected = noted_once(state), noted_once(expected)
    if plan.target == PREFERENCES:
        expected = replace(expected, preferences={**expected.preferences, LATE_KEY: reading.typed(True)})
    else:
        stores = {LOCAL} if plan.target == LOCAL else set()
        has_copied = plan.scenario.command in ("run", "copy")
        if plan.target == CLOUD or has_copied and (write.before_flag or has_rows(folder / CONTAINER / CLOUD)):
            stores.add(CLOUD)
        expected = replace(
            expected, local=with_rows(expected.local) if LOCAL in stores else expected.local,
            cloud=with_rows(expected.cloud) if CLOUD in stores else expected.cloud)
    faults = [f"{name} differs from an undisturbed run with what the app wrote" for name in state.differences(expected)]
    return faults + [f"left behind: {path}" for path in reading.leftovers(folder)]


def with_rows(rows: reading.Rows) -> reading.Rows:
    """The same rows and the two of the app; columns that the app does not know have their default."""
    found = dict(rows)
    for table, row in ROWS.items():
        names = rows[table][0]
        values = tuple(reading.typed(encoded(row.get(name, ""))) for name in names)
        found[table] = [names] + sorted([*rows[table][1:], values], key=repr)
    return found


def encoded(value: object) -> object:
    return reading.Text(value.encode()) if isinstance(value, str) else value


def faults_of_export(box: Box, folder: Path) -> list[str]:
    """An export shows the store before the app's transaction or after it, never half of it."""
    product = folder / OUTPUT / str(box.scenario.product)
    if not product.exists():
        return ["there is no export"]
    before, now = exported_keys(box.after.product or b""), exported_keys(product.read_bytes())
    late = {(table, row["id"]) for table, row in ROWS.items()}
    if now in (before, before | late):
        return [f"left behind: {path}" for path in reading.leftovers(folder)]
    return [f"the export shows half of a transaction: {sorted(now ^ before)[:3]}"]


def exported_keys(document: bytes) -> set[tuple[str, object]]:
    return {(entity["name"], json.dumps(record[entity["key"]]).strip('"'))
            for entity in json.loads(document)["entities"] for record in entity["records"]}
