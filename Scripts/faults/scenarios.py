"""The commands that are swept, each on every kind of container where it has something to do."""

from __future__ import annotations

from . import birdlog, coredata
from .birdlog import CLOUD, LOCAL, PREFERENCES
from .preparations import BACKUP, back_up, export_document, export_twice, keep_exports, make_kept, make_units, save_plan
from .scenario import DOCUMENT, DRAFT, INCREMENT, KEPT, PLAN, UNITS, Scenario
from .settings import Settings


def scenarios() -> list[Scenario]:
    """Every command that writes, on every kind of container where it has something to do."""
    found: list[Scenario] = []
    for variant in birdlog.VARIANTS:
        stores = (LOCAL, CLOUD) if variant.cloud == "existing" else (LOCAL,)
        found += [
            Scenario("run", variant),
            Scenario("copy", variant, only_read=(LOCAL,)),
            Scenario("migrate", variant, only_read=(PREFERENCES,)),
            Scenario("dedupe", variant, only_read=(PREFERENCES,)),
            Scenario("dedupe --undo latest", variant, before=(("run",),), only_read=(PREFERENCES,)),
            Scenario("export", variant, ("-o", "{out}/birdlog.json"), only_read=(*stores, PREFERENCES),
                     product="birdlog.json"),
        ]
        if variant.journal == "wal":
            found.append(Scenario(
                "import", variant, ("{document}", "-o", "{out}/restored.store"), prepare=export_document,
                only_read=(*stores, PREFERENCES, f"../{DOCUMENT}"), product="restored.store"))
        else:
            read = (LOCAL, CLOUD, PREFERENCES, f"../{DOCUMENT}")
            found += [
                Scenario("export", variant, ("-o", "{out}/changed.json", "--since", "{document}"), before=(("run",),),
                         prepare=export_twice, only_read=read, product="changed.json", title="export --since"),
                Scenario("import", variant, ("{document}", "{increment}", "-o", "{out}/restored.store"),
                         before=(("run",),), prepare=export_twice, only_read=(*read, f"../{INCREMENT}"),
                         product="restored.store"),
                # What a run that was stopped has done is not what the plan was made from: it is finished without it.
                Scenario("run", variant, ("--plan", "{plan}"), prepare=save_plan, only_read=(f"../{PLAN}",),
                         afterwards=(), title="run --plan"),
                Scenario("export", variant, ("--into", f"{{out}}/{KEPT}", "--if-changed"), prepare=make_kept,
                         only_read=(*stores, PREFERENCES), product=KEPT, title="export --into"),
                Scenario("forget", variant, ("--keep-last", "1"), prepare=keep_exports, only_reads=True, product=KEPT),
                Scenario("schedule", variant,
                         ("--systemd", "--resident", "--into", f"{{out}}/{KEPT}", "-o", f"{{out}}/{UNITS}",
                          "--program", "/bin/true"),
                         prepare=make_units, only_reads=True, product=UNITS, names_folder=True),
                Scenario("verify", variant, ("--expect", "{out}/expected.json", "--update-expect"),
                         only_read=(*stores, PREFERENCES), product="expected.json", title="verify --update-expect"),
            ]
    return found + core_data_scenarios() + fleet_scenarios()


def fleet_scenarios() -> list[Scenario]:
    """The commands over a fleet that write: of one container, so that it can be judged like those over a single one."""
    found: list[Scenario] = []
    for variant in birdlog.VARIANTS:
        stores = (LOCAL, CLOUD) if variant.cloud == "existing" else (LOCAL,)
        found.append(Scenario("run --all", variant))
        if variant.journal == "delete":
            found += [
                Scenario("export --all", variant, ("--into", f"{{out}}/{KEPT}", "--if-changed"), prepare=make_kept,
                         only_read=(*stores, PREFERENCES), product=KEPT),
                Scenario("verify --all", variant, ("--expect", "{out}/expected", "--update-expect"),
                         only_read=(*stores, PREFERENCES), product="expected/container.json"),
            ]
    return found


def core_data_scenarios() -> list[Scenario]:
    """The same where the local store is one of Core Data's, and the commands that look at a container as it is."""
    found: list[Scenario] = []
    for variant in coredata.VARIANTS:
        looks = [
            Scenario("inspect", variant, ("-o", "{out}/inspection.txt"), product="inspection.txt",
                     only_reads=True),
            Scenario("init", variant, ("-o", f"{{out}}/{DRAFT}"), product=DRAFT, only_reads=True),
            Scenario("plan", variant, ("-o", "{out}/plan.json"), product="plan.json", only_reads=True),
            Scenario("export", variant, ("-o", "{out}/birdlog.json"), product="birdlog.json", only_reads=True,
                     title="export of Core Data"),
        ]
        if variant.cloud == "absent":
            writes = [Scenario("run", variant, only_read=(LOCAL,), title="run from Core Data")]
        else:
            writes = [
                Scenario("run", variant, only_read=(LOCAL,), title="run from Core Data"),
                Scenario("copy", variant, only_read=(LOCAL,), title="copy from Core Data"),
                Scenario("run", variant, ("--plan", "{plan}"), prepare=save_plan, only_read=(LOCAL, f"../{PLAN}"),
                         afterwards=(), title="run --plan from Core Data"),
            ]
        found += writes + looks
    return found


def going_back_scenarios() -> list[Scenario]:
    """A run that makes a backup, the backup put back, and a copy made pending again."""
    found: list[Scenario] = []
    for variant in birdlog.VARIANTS:
        found += [
            Scenario("run", variant, ("--backup", "{out}/backups"), title="run --backup"),
            # The backup is the template's, and the container is a copy of it.
            Scenario("rollback", variant, (f"{{out}}/{BACKUP}", "--other-container"), prepare=back_up, puts_back=True),
            Scenario("reopen", variant, before=(("run",),)),
        ]
    return found


#: Of the commands over a Core Data store, those that a quick sweep takes; the plain ones are all in it.
QUICK = ("run from Core Data", "init", "inspect")
#: Of those over a fleet: one whose worker writes to stores, one whose worker makes files.
QUICK_FLEETS = ("run --all", "export --all")


def diagonal(found: list[Scenario]) -> list[Scenario]:
    """One scenario for each command, each on another kind of container than the last: what a quick sweep takes."""
    chosen = []
    kinds = dict.fromkeys(scenario.kind for scenario in found)
    for place, kind in enumerate(kinds):
        mine = [scenario for scenario in found if scenario.kind == kind]
        is_plain = mine[0].variant.layout == "tables" and not mine[0].is_fleet
        if is_plain or kind in QUICK + QUICK_FLEETS:
            chosen.append(mine[place % len(mine)])
    return chosen


def swept(settings: Settings) -> list[Scenario]:
    """What a sweep of every point takes: in a quick one, of Core Data stores and fleets some commands, each on one."""
    found = settings.chosen(scenarios() + going_back_scenarios())
    if not settings.quick or settings.only:
        return found
    rare = [scenario for scenario in found if scenario.variant.layout == "coreData" or scenario.is_fleet]
    return [scenario for scenario in found if scenario not in rare] + diagonal(rare)
