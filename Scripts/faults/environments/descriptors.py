"""Standard descriptors that are closed, full, or without a reader; signals that were ignored or blocked before."""

from __future__ import annotations

import itertools

from ..calling import Call
from ..hostile.scene import Scene, setting, unchanged
from .surrounding import OK, Surrounding


def surroundings() -> list[Surrounding]:
    """All of them."""
    return [*_closed(), *_unwritable(), *_signals()]


def _closed() -> list[Surrounding]:
    found = []
    for closed in itertools.product([False, True], repeat=3):
        which = "".join(str(number) for number in range(3) if closed[number]) or "none"
        make = setting(setup="exec " + " ".join(
            f"{number}{'<' if number == 0 else '>'}&-" for number in range(3) if closed[number])
            if any(closed) else "")
        # A result that can't be written is an error; without standard error the code is the only message.
        codes = frozenset({74}) if closed[1] else OK
        found.append(Surrounding(
            f"descriptors closed: {which}", make, codes, says=not closed[2] and not closed[1], check=_stores_are_stores,
            commands=(("plan",), ("status",), ("run",), ("export", "-o", "-"), ("verify",))))
        if any(closed):
            found.append(Surrounding(
                f"descriptors closed: {which}, output to a file", make, OK, says=False, check=_stores_are_stores,
                commands=(("plan", "-o", "../out/plan.json"), ("run", "-q"), ("export", "-q", "-o", "../out/e.json"))))
    return found


def _stores_are_stores(scene: Scene, _: Call) -> list[str]:
    """No message may go into a store or into the preferences."""
    said = [f"{path.name} is not a store any more" for path in (scene.local, scene.cloud)
            if path.exists() and not path.read_bytes().startswith(b"SQLite format 3\0")]
    is_list = scene.plist.read_bytes().startswith(b"bplist00")
    return said + ([] if is_list else ["the preferences are not a property list any more"])


def _unwritable() -> list[Surrounding]:
    def after(name: str, setup: str, codes: frozenset[int], **options: object) -> Surrounding:
        return Surrounding(name, setting(setup=setup), codes, **options)

    lost, export = frozenset({74}), (("export", "-o", "-"),)
    # A reader that is gone before the command begins: the FIFO is opened for both ends, and the reading one closed.
    gone = "d=$(mktemp -u); mkfifo $d; exec {0}<>$d; exec 9<$d; exec {1}>$d; exec {0}<&- 9<&-; rm $d; "
    return [
        after("stdout full", "exec >/dev/full", lost),
        after("stderr full", "exec 2>/dev/full", OK, says=False),
        after("both full", "exec >/dev/full 2>&1", lost, says=False),
        after("stdout without a reader", gone.format(8, 1), lost),
        after("stderr without a reader", gone.format(8, 2), OK, says=False),
        after("stdout for reading only", "exec >&-; exec 1</dev/null", lost),
        after("stdout a folder", "exec 1</", lost),
        after("stdin a folder", "exec 0</", OK),
        after("stdin full of noise", "exec 0</dev/zero", OK),
        Surrounding("output to a full device", unchanged, frozenset({73}),
                    commands=tuple((command, "-o", "/dev/full") for command in ("plan", "export", "status"))),
        after("export to a full stdout", "exec >/dev/full", lost, commands=export),
        after("export without a reader", gone.format(8, 1), lost, commands=export),
    ]


def _signals() -> list[Surrounding]:
    def launched(name: str, code: str) -> Surrounding:
        program = f"import os, signal, sys\n{code}\nos.execv(sys.argv[1], sys.argv[1:])"
        return Surrounding(name, setting(launcher=["/usr/bin/env", "python3", "-c", program]))

    every = "set(range(1, 65)) - {signal.SIGKILL, signal.SIGSTOP, 32, 33}"
    return [
        launched("SIGPIPE ignored", "signal.signal(signal.SIGPIPE, signal.SIG_IGN)"),
        launched("SIGPIPE not ignored", "signal.signal(signal.SIGPIPE, signal.SIG_DFL)"),
        launched("SIGPIPE blocked", "signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGPIPE})"),
        launched("every signal blocked", f"signal.pthread_sigmask(signal.SIG_BLOCK, {every})"),
        launched("SIGCHLD, SIGINT and SIGTERM ignored",
                 "[signal.signal(s, signal.SIG_IGN) for s in (signal.SIGCHLD, signal.SIGINT, signal.SIGTERM)]"),
    ]
