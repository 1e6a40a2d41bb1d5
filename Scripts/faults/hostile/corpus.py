"""The bad inputs as cases: property lists as preferences, stores as local, cloud and active store."""

from __future__ import annotations

import plistlib
from dataclasses import replace
from pathlib import Path

from ..calling import Call, call, environment
from . import badinputs
from .badinputs.item import Item
from .case import ALL, OK, Case
from .judging import faults
from .scene import Arrangement, Scene


def cases() -> list[Case]:
    """All of them."""
    found = [_preferences(item) for item in badinputs.property_lists() + badinputs.oddities()]
    for item in badinputs.stores():
        found += [_local(item), _cloud(item), _active(item)]
    for item in badinputs.oddities():
        found += [_local(item), _cloud(item)]
    return [*found, *_otherwise(found), *_inspected()]


def _inspected() -> list[Case]:
    """The same without a manifest: an inspection of the container reports what is bad, and goes on."""
    found = []
    for field, items in (
        ("plist", badinputs.property_lists() + badinputs.oddities()),
        ("local", badinputs.stores() + badinputs.oddities()),
    ):
        for number, item in enumerate(items):
            arrange = _replaced(item, field)
            found.append(Case(
                f"inspect {field} {item.name}", arrange, OK | {65, 66}, {"inspect": OK}, commands=("inspect", "init"),
                quick=("inspect",)[number % 3:], check=_draft_is_planned, settles=False, why=item.why))
            found.append(Case(
                f"inspect {field} {item.name} (-v)", arrange, OK, commands=("inspect",), quick=(), words=("-v",),
                settles=False))
    return found


def _draft_is_planned(scene: Scene, done: Call) -> list[str]:
    """The manifest that `init` wrote must be one that `plan` takes, with any verdict on the container."""
    if done.words[0] != "init" or done.code != 0:
        return []
    manifest = Path(str(done.words[-1])) / "godwit.yaml"
    words = ["plan", "-m", manifest, "-c", scene.container, *scene.words]
    planned = call(scene.binary, words, folder=scene.home, variables=environment(scene.temporary, scene.variables))
    return [f"plan of the draft: {each}" for each in faults(planned, OK | {1, 65, 66, 75, 77})]


def _otherwise(cases: list[Case]) -> list[Case]:
    """Some of them again, with errors as JSON, or with the values of the user's data shown."""
    found = []
    for case in cases:
        if not case.name.startswith("active "):
            refused = 0 not in case.otherwise
            more = {"words": ("--json",), "commands": ("run", "status")} if refused else {
                "words": ("-v",), "commands": ("plan", "run", "verify", "history")}
            found.append(replace(case, name=f"{case.name} ({more['words'][0]})", quick=(), **more))
    return found


def _replaced(item: Item, field: str) -> Arrangement:
    """An item in the place of a file of the scene."""

    def arrange(scene: Scene) -> None:
        path = getattr(scene, field)
        path.unlink(missing_ok=True)
        item.write(path)
        # Files next to a store that do not belong to it must never change.
        for other in path.parent.iterdir():
            if other.name.startswith(("precious", "backup-of-")):
                scene.kept[other] = other.read_bytes()

    return arrange


def _precious_stays(scene: Scene, _: Call) -> list[str]:
    return [f"{path.name} was changed" for path, content in scene.kept.items() if path.read_bytes() != content]


def _preferences(item: Item) -> Case:
    return Case(
        f"preferences {item.name}", _replaced(item, "plist"), item.codes,
        {"verify": item.codes | {1}, "history": item.codes | OK}, quick=("run",), why=item.why)


def _local(item: Item) -> Case:
    lenient = {command: item.codes | OK for command in ("export", "status", "history", "dedupe", "migrate")}
    return Case(
        f"local {item.name}", _replaced(item, "local"), item.codes, {"verify": item.codes | {1}} | lenient,
        quick=("export", "run") if item.name.startswith("values/") else ("run",), check=_precious_stays, why=item.why)


def _cloud(item: Item) -> Case:
    """As the cloud store, next to a good local one: commands that do not read all of it may take it."""
    codes = {name: item.codes | OK for name in ALL if name not in {"run", "copy", "plan"}}
    return Case(
        f"cloud {item.name}", _replaced(item, "cloud"), item.codes, codes | {"verify": item.codes | OK | {1}},
        quick=() if item.name.startswith("values/") else ("run",), check=_precious_stays, why=item.why)


def _active(item: Item) -> Case:
    """As the cloud store of a complete copy; the local store is gone."""

    def arrange(scene: Scene) -> None:
        _replaced(item, "cloud")(scene)
        for each in scene.local.parent.glob(scene.local.name + "*"):
            each.unlink()
        with open(scene.plist, "wb") as file:
            plistlib.dump({"cloudMigrationDone": True, "k": "v"}, file)

    # The flag is true without a receipt, which a run reports at its end.
    taken = item.codes | {1} if 0 in item.codes else item.codes
    codes = {"verify": item.codes | {1, 65}, "run": taken, "plan": taken}
    codes |= {command: item.codes | OK for command in ("copy", "export", "status", "history", "dedupe", "migrate")}
    return Case(f"active {item.name}", arrange, item.codes, codes, quick=(), settles=False, check=_precious_stays,
                why=item.why)
