"""The bad inputs as cases: property lists in the preferences' place, stores as local, as cloud and as active store."""

from __future__ import annotations

import plistlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from ..calling import Call, call, environment
from . import badinputs
from .badinputs.item import Item
from .case import ALL, OK, Case, Codes
from .judging import faults
from .scene import Scene



def cases() -> list[Case]:
    """All of them."""
    found = [_preferences(item) for item in badinputs.property_lists() + badinputs.oddities()]
    for item in badinputs.stores():
        found += [_local(item), _cloud(item), _active(item)]
    for item in badinputs.oddities():
        found += [_local(item), _cloud(item)]
    return [*found, *_otherwise(found), *_inspected()]


def _inspected() -> list[Case]:
    """The same without a manifest: of a whole container what is bad in it is told, and stops nothing."""
    found = []
    for place, items in (
        ("plist", badinputs.property_lists() + badinputs.oddities()),
        ("local", badinputs.stores() + badinputs.oddities()),
    ):
        for number, item in enumerate(items):
            arrange = _arranged(item, place)
            found.append(Case(
                f"inspect {place} {item.name}", arrange, OK | {65, 66}, {"inspect": OK}, commands=("inspect", "init"),
                quick=("inspect",)[number % 3:], check=_draft_is_planned, settles=False))
            found.append(Case(
                f"inspect {place} {item.name} (-v)", arrange, OK, commands=("inspect",), quick=(), words=("-v",),
                settles=False))
    return found


def _arranged(item: Item, place: str) -> Callable[[Scene], None]:
    return lambda scene: _replace(scene, item, place)


def _draft_is_planned(scene: Scene, done: Call) -> list[str]:
    """What `init` wrote is a manifest that `plan` takes, whatever it then says of the container."""
    if done.words[0] != "init" or done.code != 0:
        return []
    manifest = Path(str(done.words[-1])) / "godwit.yaml"
    words = ["plan", "-m", manifest, "-c", scene.container, *scene.words]
    planned = call(scene.binary, words, folder=scene.home, variables=environment(scene.temporary, scene.variables))
    return [f"plan of the draft: {each}" for each in faults(planned, OK | {1, 65, 66, 75, 77})]


def _otherwise(cases: list[Case]) -> list[Case]:
    """Some of them with errors as JSON, and with the values of the user's data shown."""
    found = []
    for case in cases:
        if not case.name.startswith("active "):
            refused = 0 not in case.otherwise
            more = {"words": ("--json",), "commands": ("run", "status")} if refused else {
                "words": ("-v",), "commands": ("plan", "run", "verify", "history")}
            found.append(replace(case, name=f"{case.name} ({more['words'][0]})", quick=(), **more))
    return found


def verdicts(codes: Codes) -> Codes:
    """What `verify` may answer: a difference is its way to say that something is damaged."""
    return codes | {1}


def _replace(scene: Scene, item: Item, place: str) -> None:
    path = getattr(scene, place)
    path.unlink(missing_ok=True)
    item.write(path)
    # What lies beside the store and is none of its own files is somebody's, whatever a command does to the store.
    for other in path.parent.iterdir():
        if other.name.startswith(("precious", "backup-of-")):
            scene.kept[other] = other.read_bytes()


def _precious_stays(scene: Scene, call: Call) -> list[str]:
    return [f"{path.name} was changed" for path, content in scene.kept.items() if path.read_bytes() != content]


def _preferences(item: Item) -> Case:
    return Case(
        f"preferences {item.name}", lambda scene: _replace(scene, item, "plist"), item.codes,
        {"verify": verdicts(item.codes), "history": item.codes | OK}, quick=("run",))


def _local(item: Item) -> Case:
    lenient = item.codes | OK
    return Case(
        f"local {item.name}", lambda scene: _replace(scene, item, "local"), item.codes,
        {"verify": verdicts(item.codes)}
        | {command: lenient for command in ("export", "status", "history", "dedupe", "migrate")},
        quick=("export", "run") if item.name.startswith("values/") else ("run",), check=_precious_stays)


def _cloud(item: Item) -> Case:
    """As the cloud store, beside a good local one: what is not read of it may pass."""
    lenient = item.codes | OK
    codes = {name: lenient for name in ALL if name not in {"run", "copy", "plan"}}
    codes["verify"] = verdicts(lenient)
    return Case(
        f"cloud {item.name}", lambda scene: _replace(scene, item, "cloud"), item.codes, codes,
        quick=() if item.name.startswith("values/") else ("run",), check=_precious_stays)


def _active(item: Item) -> Case:
    """As the cloud store of a copy that is done; the local store is gone."""

    def arrange(scene: Scene) -> None:
        _replace(scene, item, "cloud")
        for each in scene.local.parent.glob(scene.local.name + "*"):
            each.unlink()
        with open(scene.plist, "wb") as file:
            plistlib.dump({"cloudMigrationDone": True, "k": "v"}, file)

    lenient = item.codes | OK
    # The flag is true without a receipt, which a run says in the end.
    taken = verdicts(item.codes) if 0 in item.codes else item.codes
    codes = {"verify": verdicts(item.codes | {65}), "run": taken, "plan": taken}
    codes |= {command: lenient for command in ("copy", "export", "status", "history", "dedupe", "migrate")}
    return Case(f"active {item.name}", arrange, item.codes, codes, quick=(), settles=False, check=_precious_stays)
