"""One odd surrounding, and how commands are judged in it."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ..calling import Call, Word
from ..fingerprint import differences
from ..hostile.apps import TRAINLOG, App
from ..hostile.judging import DOCUMENTED, DONE, faults
from ..hostile.scene import Arrangement, Scene
from ..settings import Settings

OK = frozenset({0})
#: The names of Godwit's temporary files and scratch folders.
OWN = r"\.godwit-(?:tmp|out|import)-[0-9A-F]{8}|godwit-scratch-\d+-[0-9A-F]{8}-"


class Unavailable(Exception):
    """The surrounding can't be made here; the message says what is missing."""


@dataclass(frozen=True)
class Surrounding:
    """What is made odd, and how commands may answer.

    `codes` are the allowed codes; `says` is whether messages can be read at all; `check` reads the scene after each call.
    """

    name: str
    make: Arrangement
    codes: frozenset[int] = OK
    commands: Sequence[tuple[Word, ...]] = (("plan",), ("run",), ("verify",), ("status",), ("history",))
    says: bool = True
    check: Callable[[Scene, Call], list[str]] | None = None
    is_quick: bool = True
    #: Whether the scene can be used by its plain names afterwards.
    recovers: bool = True
    app: App = TRAINLOG
    #: Undoes the surrounding before the ordinary run.
    undo: Arrangement | None = None


def carry_out(one: Surrounding, settings: Settings) -> tuple[int, list[str], str]:
    """The number of calls, what failed, and the reason if it was skipped."""
    scene = Scene(settings.binary, one.app, settings.base)
    calls, said = 0, []
    try:
        one.make(scene)
        for words in one.commands:
            before = scene.mark()
            done = scene.call(*words)
            calls += 1
            said += [f"{one.name}: godwit {_shown(words)}: {problem}" for problem in judge(one, scene, done, before)]
        if one.undo:
            one.undo(scene)
        if one.recovers:
            calls += 1
            said += [f"{one.name}: {problem}" for problem in [*afterwards(scene), *leftovers(scene)]]
    except Unavailable as reason:
        return calls, [], str(reason)
    except Exception as error:  # A scene that can't be made is a failure of its own, not the end of the sweep.
        said.append(f"{one.name}: could not be carried out: {error!r}")
    finally:
        scene.remove()
    return calls, said, ""


def judge(one: Surrounding, scene: Scene, done: Call, before: dict[bytes, tuple]) -> list[str]:
    """What is wrong with a call."""
    codes = one.codes
    # Before the first run `verify` says that nothing was migrated, if the run was refused.
    if done.words[0] == "verify" and len(codes) > 1:
        codes |= {1}
    if one.says:
        problems = faults(done, codes)
    else:
        problems = [] if done.code in codes & DOCUMENTED else [f"{done.ending}: {done.errors[:300]!r}"]
    if done.code not in DONE or done.words[0] not in {"run", "migrate", "copy", "dedupe"}:
        if b"What is shown as done stays done" not in done.errors and done.code != 74:
            if changed := differences(before, scene.mark(), ignores_dates=True):
                problems.append(f"{done.ending} and wrote: {'; '.join(changed)[:400]}")
    problems += leftovers(scene)
    if one.check:
        problems += one.check(scene, done)
    return problems


def leftovers(scene: Scene) -> list[str]:
    """Temporary files that a command forgot."""
    found = []
    for folder in (scene.home, scene.temporary, scene.out):
        for top, folders, files in os.walk(folder):
            found += [f"left {each} in {top}" for each in [*folders, *files] if re.match(OWN, each)]
    return found


def afterwards(scene: Scene) -> list[str]:
    """An ordinary run must complete, and the store verify."""
    run, proof = scene.plain("run"), scene.plain("verify")
    said = [f"an ordinary run afterwards: {each}" for each in faults(run, OK)]
    return said + [f"verify afterwards: {each}" for each in faults(proof, OK)]


def _shown(words: Sequence[Word]) -> str:
    return " ".join(each.decode(errors="backslashreplace") if isinstance(each, bytes) else str(each) for each in words)
