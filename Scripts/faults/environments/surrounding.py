"""One odd surrounding, and how commands are judged in it."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ..calling import Call, Word, call, environment
from ..fingerprint import differences, fingerprint
from ..hostile.apps import TRAINLOG, App
from ..hostile.judging import DOCUMENTED, DONE, faults
from ..hostile.scene import BARE, NOW, Scene
from ..settings import Settings

OK = frozenset({0})
#: What Godwit calls its temporary files and its scratch folders.
OWN = r"\.godwit-(?:tmp|out|import)-[0-9A-F]{8}|godwit-scratch-\d+-[0-9A-F]{8}-"


class Unavailable(Exception):
    """The surrounding can't be made here; the message says what is missing."""


class Place(Scene):
    """A scene whose calls can be put anywhere.

    `setup` is shell text before each call, `folder` the working directory; `manifest_word` and `container_word` are
    what the command line says.
    """

    def __init__(self, settings: Settings, app: App = TRAINLOG) -> None:
        super().__init__(settings.binary, app, settings.base)
        self.setup = ""
        self.folder: Word = self.home
        self.manifest_word: Word = self.manifest
        self.container_word: Word = self.container
        self.removed_variables: tuple[str, ...] = ()
        self.command_name: Word | None = None
        self.launcher: Sequence[Word] = ()
        self.limited = True
        #: A folder outside of the place that a surrounding made.
        self.other = self.temporary

    def invoke(self, command: str, *more: Word) -> Call:
        """Calls a command in the surrounding."""
        place: list[Word] = ["-m", self.manifest_word, "-c", self.container_word]
        words: list[Word] = [
            command, *([self.container_word] if command in BARE else place), "--now", NOW, "--lock-timeout", "1s",
            *more]
        if command == "init":
            self._outputs += 1
            words += ["-o", self.out / f"draft-{self._outputs}"]
        variables = environment(self.temporary, self.variables)
        for name in self.removed_variables:
            variables.pop(name, None)
        binary, arguments = self.binary, words
        if self.launcher:
            binary, arguments = self.launcher[0], [*self.launcher[1:], str(self.binary), *words]
        made = call(
            binary, arguments, folder=self.folder, variables=variables, setup=self.setup, name=self.command_name,
            limited=self.limited)
        return Call(tuple(words), made.code, made.output, made.errors, made.seconds)

    def plain(self, command: str, *more: Word) -> Call:
        """Calls a command as on any other day, by the true names."""
        words: list[Word] = [command, "-m", self.manifest, "-c", self.container, "--now", NOW, *more]
        return call(self.binary, words, folder=self.home, variables=environment(self.temporary))


@dataclass(frozen=True)
class Surrounding:
    """What is made odd, and what may come of it.

    `codes` are what the commands may answer; `says` is whether messages can be read at all; `check` looks at the place
    after each call.
    """

    name: str
    make: Callable[[Place], None]
    codes: frozenset[int] = OK
    commands: Sequence[tuple[Word, ...]] = (("plan",), ("run",), ("verify",), ("status",), ("history",))
    says: bool = True
    check: Callable[[Place, Call], list[str]] | None = None
    is_quick: bool = True
    #: Whether the place can be used by its plain names afterwards.
    recovers: bool = True
    #: Whether what Godwit made for itself may stay until the next run, because nothing could be removed.
    may_leave: bool = False
    app: App = TRAINLOG
    #: Puts things back before the ordinary run.
    undo: Callable[[Place], None] | None = None


def carry_out(one: Surrounding, settings: Settings) -> tuple[int, list[str], str]:
    """The number of calls, what failed, and why it was skipped."""
    place = Place(settings, one.app)
    calls, said = 0, []
    try:
        one.make(place)
        for words in one.commands:
            before = fingerprint(place.home)
            done = place.invoke(*words)
            calls += 1
            problems = judge(one, place, done, before)
            said += [f"{one.name}: godwit {_shown(words)}: {problem}" for problem in problems]
        if one.undo:
            one.undo(place)
        if one.recovers:
            calls += 1
            said += [f"{one.name}: {problem}" for problem in [*afterwards(place), *leftovers(place)]]
    except Unavailable as reason:
        return calls, [], str(reason)
    except Exception as error:  # A place that can't be made is a failure of its own, not the end of the sweep.
        said.append(f"{one.name}: could not be carried out: {error!r}")
    finally:
        place.remove()
    return calls, said, ""


def judge(one: Surrounding, place: Place, done: Call, before: dict[bytes, tuple]) -> list[str]:
    """What is wrong with a call."""
    codes = one.codes
    # Before the first run `verify` says that nothing was migrated, where the run was refused.
    if done.words[0] == "verify" and len(codes) > 1:
        codes |= {1}
    if one.says:
        problems = faults(done, codes)
    else:
        problems = [] if done.code in codes & DOCUMENTED else [f"{done.ending}: {done.errors[:300]!r}"]
    command = done.words[0]
    if done.code not in DONE or command not in {"run", "migrate", "copy", "dedupe"}:
        if b"What is shown as done stays done" not in done.errors and done.code != 74:
            if changed := differences(before, fingerprint(place.home), ignores_dates=True):
                problems.append(f"{done.ending} and wrote: {'; '.join(changed)[:400]}")
    if not one.may_leave:
        problems += leftovers(place)
    if one.check:
        problems += one.check(place, done)
    return problems


def leftovers(place: Place) -> list[str]:
    """Temporary files that a command forgot."""
    found = []
    for folder in (place.home, place.temporary, place.out):
        for top, folders, files in os.walk(folder):
            names = [each for each in [*folders, *files] if re.match(OWN, each)]
            found += [f"left {each} in {top}" for each in names]
    return found


def afterwards(place: Place) -> list[str]:
    """An ordinary run completes what was not done, and all promises hold."""
    run, proof = place.plain("run"), place.plain("verify")
    said = [f"an ordinary run afterwards: {each}" for each in faults(run, OK)]
    return said + [f"verify afterwards: {each}" for each in faults(proof, OK)]


def modes(place: Place) -> dict[str, int]:
    """Modes of the files that a run makes or replaces."""
    found = {}
    for name, path in (("cloud", place.cloud), ("plist", place.plist), ("local", place.local)):
        if path.exists():
            found[name] = stat.S_IMODE(path.stat().st_mode)
    return found


def _shown(words: Sequence[Word]) -> str:
    return " ".join(each.decode(errors="backslashreplace") if isinstance(each, bytes) else str(each) for each in words)
