"""A hostile input and the commands that read it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from ..calling import Call, Word
from ..fingerprint import differences
from ..settings import Settings
from .apps import PROBE, App
from .judging import DONE, faults, tells_what_was_done
from .scene import BARE, Scene

#: Commands that never write to a container.
READERS = ("plan", "verify", "export", "status", "history")
WRITERS = ("migrate", "dedupe", "copy", "run")
ALL = READERS + WRITERS

Codes = frozenset[int]
#: The exit codes in words of their own.
OK: Codes = frozenset({0})
DATA: Codes = frozenset({65})
MANIFEST: Codes = frozenset({78})


@dataclass(frozen=True)
class Case:
    """What is arranged in a scene, and what each command may answer.

    `codes` holds the answers by command; a command that is not in it may answer as `otherwise` says. `check` looks at
    the scene after a command and says what is wrong there.
    """

    name: str
    arrange: Callable[[Scene], None]
    otherwise: Codes
    codes: Mapping[str, Codes] = field(default_factory=dict)
    app: App = PROBE
    commands: Sequence[str] = ALL
    quick: Sequence[str] = ("plan", "run")
    words: Sequence[Word] = ()
    check: Callable[[Scene, Call], list[str]] | None = None
    #: Whether a run that was taken must leave a container that verifies and is not changed by another run.
    settles: bool = True
    #: What is wrong with the input, or why it is taken.
    why: str = ""

    def answers(self, command: str) -> Codes:
        """The exit codes that a command may answer with."""
        return self.codes.get(command, self.otherwise)


def carry_out(case: Case, settings: Settings) -> tuple[int, list[str]]:
    """Calls the commands of a case; returns the number of calls, and what failed."""
    commands = [each for each in case.commands if not settings.quick or each in case.quick]
    calls, said = 0, []
    scene: Scene | None = None
    try:
        for command in commands:
            if scene is None:
                scene = Scene(settings.binary, case.app, settings.base)
                case.arrange(scene)
            before = scene.mark()
            call = scene.call(command, *case.words)
            calls += 1
            problems, changed = _problems(case, command, call, scene, before)
            if command == "run" and call.code in DONE and case.settles:
                problems += _unsettled(scene, case)
                calls += 2
            reason = f" ({case.why})" if case.why else ""
            said += [f"{case.name}{reason}: godwit {command}: {problem}" for problem in problems]
            if changed or problems or (command == "run" and call.code in DONE):
                scene.remove()
                scene = None
    except Exception as error:  # A scene that can't be arranged is a failure of its own, not the end of the sweep.
        said.append(f"{case.name}: could not be carried out: {error!r}")
        calls += 1
    finally:
        if scene is not None:
            scene.remove()
    return calls, said


def _problems(
    case: Case, command: str, call: Call, scene: Scene, before: dict[bytes, tuple]
) -> tuple[list[str], list[str]]:
    """What is wrong with a call, and what it changed."""
    problems = faults(call, case.answers(command))
    # A temporary file that was made and removed dates its folder, a transaction rolled back its store.
    changed = differences(before, scene.mark(), ignores_dates=command not in READERS + BARE)
    forbidden = command in READERS + BARE or call.code not in DONE and not tells_what_was_done(call)
    if changed and forbidden:
        problems.append(f"{call.ending} and wrote: {'; '.join(changed)[:600]}")
    if left := sorted(each.name for each in scene.temporary.iterdir()):
        problems.append(f"left in TMPDIR: {left}")
    if case.check:
        problems += case.check(scene, call)
    return problems, changed


def _unsettled(scene: Scene, case: Case) -> list[str]:
    """After a run another one changes nothing, and the promises hold."""
    before = scene.mark()
    again, proof = scene.call("run", *case.words), scene.call("verify", *case.words)
    said = [f"again: {each}" for each in faults(again, OK)]
    said += [f"verify afterwards: {each}" for each in faults(proof, OK)]
    if changed := differences(before, scene.mark()):
        said.append(f"another run changed: {'; '.join(changed)[:600]}")
    return said
