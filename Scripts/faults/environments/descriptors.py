"""Standard descriptors that are closed, full, or read by nobody; signals that were ignored or blocked before."""

from __future__ import annotations

import itertools

from ..calling import Call
from .surrounding import OK, Place, Surrounding

OUTPUT_LOST = frozenset({0, 74})


def surroundings() -> list[Surrounding]:
    """All of them."""
    return [*_closed(), *_unwritable(), *_signals()]


def _closed() -> list[Surrounding]:
    found = []
    for closed in itertools.product([False, True], repeat=3):
        setup = "exec " + " ".join(f"{number}{'<' if number == 0 else '>'}&-" for number in range(3) if closed[number])
        which = "".join(str(number) for number in range(3) if closed[number]) or "none"

        def make(place: Place, setup: str = setup if any(closed) else "") -> None:
            place.setup = setup

        # A result that can't be written is an error; where nobody can be told of it, the code is all there is.
        codes = frozenset({74}) if closed[1] else OK
        found.append(Surrounding(
            f"descriptors closed: {which}", make, codes, says=not closed[2] and not closed[1], check=_stores_are_stores,
            commands=(("plan",), ("status",), ("run",), ("export", "-o", "-"), ("verify",))))
        if any(closed):
            found.append(Surrounding(
                f"descriptors closed: {which}, output to a file", make, OK, says=False, check=_stores_are_stores,
                commands=(("plan", "-o", "../out/plan.json"), ("run", "-q"), ("export", "-q", "-o", "../out/e.json"))))
    return found


def _stores_are_stores(place: Place, done: Call) -> list[str]:
    """No message went into a store or into the preferences."""
    said = []
    for path in (place.local, place.cloud):
        if path.exists() and not path.read_bytes().startswith(b"SQLite format 3\0"):
            said.append(f"{path.name} is no store any more")
    if not place.plist.read_bytes().startswith(b"bplist00"):
        said.append("the preferences are no property list any more")
    return said


def _unwritable() -> list[Surrounding]:
    def with_setup(setup: str):
        def make(place: Place) -> None:
            place.setup = setup

        return make

    lost = frozenset({74})
    # A reader that is gone before the command begins: the FIFO is opened for both ends, and the reading one closed.
    gone = ("d=$(mktemp -u); mkfifo $d; exec {0}<>$d; exec 9<$d; exec {1}>$d; exec {0}<&- 9<&-; rm $d; ")
    return [
        Surrounding("stdout full", with_setup("exec >/dev/full"), lost),
        Surrounding("stderr full", with_setup("exec 2>/dev/full"), OK, says=False),
        Surrounding("both full", with_setup("exec >/dev/full 2>&1"), lost, says=False),
        Surrounding("stdout without a reader", with_setup(gone.format(8, 1)), lost),
        Surrounding("stderr without a reader", with_setup(gone.format(8, 2)), OK, says=False),
        Surrounding("stdout for reading only", with_setup("exec >&-; exec 1</dev/null"), lost),
        Surrounding("stdout a folder", with_setup("exec 1</"), lost),
        Surrounding("stdin a folder", with_setup("exec 0</"), OK),
        Surrounding("stdin full of noise", with_setup("exec 0</dev/zero"), OK),
        Surrounding("output to a full device", lambda place: None, frozenset({73}),
                    commands=tuple((command, "-o", "/dev/full") for command in ("plan", "export", "status"))),
        Surrounding("export to a full stdout", with_setup("exec >/dev/full"), lost, commands=(("export", "-o", "-"),)),
        Surrounding("export without a reader", with_setup(gone.format(8, 1)), lost, commands=(("export", "-o", "-"),)),
    ]


def _signals() -> list[Surrounding]:
    def launched(code: str):
        def make(place: Place) -> None:
            place.launcher = ["/usr/bin/env", "python3", "-c", f"import os, signal, sys\n{code}\n"
                              "os.execv(sys.argv[1], sys.argv[1:])"]

        return make

    every = "set(range(1, 65)) - {signal.SIGKILL, signal.SIGSTOP, 32, 33}"
    return [
        Surrounding("SIGPIPE ignored", launched("signal.signal(signal.SIGPIPE, signal.SIG_IGN)")),
        Surrounding("SIGPIPE not ignored", launched("signal.signal(signal.SIGPIPE, signal.SIG_DFL)")),
        Surrounding("SIGPIPE blocked", launched("signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGPIPE})")),
        Surrounding("every signal blocked", launched(f"signal.pthread_sigmask(signal.SIG_BLOCK, {every})")),
        Surrounding("SIGCHLD, SIGINT and SIGTERM ignored", launched(
            "[signal.signal(s, signal.SIG_IGN) for s in (signal.SIGCHLD, signal.SIGINT, signal.SIGTERM)]")),
    ]
