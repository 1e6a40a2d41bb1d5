"""Instructions by function, counted by valgrind: nearly the same for every run, also while the machine does other work.

The file's format is that of <https://valgrind.org/docs/manual/cl-format.html>. What the kernel does is not in it.
"""

from __future__ import annotations

import re
import shlex
from collections import Counter
from pathlib import Path

from .measuring import run
from .symbols import Place

NAMED = re.compile(r"(c?)(ob|fn)=\((\d+)\)(?: (.+))?$")


def readable_binary(binary: Path, scratch: Path) -> Path:
    """A copy without debugging information, which valgrind can't read where it is Swift's; symbols stay."""
    made = scratch / "godwit"
    run(f"strip --strip-debug -o {shlex.quote(str(made))} {shlex.quote(str(binary))}")
    return made


def counted(command: str, scratch: Path) -> Counter[Place]:
    """Instructions of each function itself, without what it calls."""
    into = scratch / "callgrind.out"
    into.unlink(missing_ok=True)
    run(f"valgrind -q --tool=callgrind --callgrind-out-file={shlex.quote(str(into))} {command}")
    return parsed(into.read_text())


def parsed(text: str) -> Counter[Place]:
    names: dict[str, dict[str, str]] = {"ob": {}, "fn": {}}
    at = {"ob": "", "fn": ""}
    costs: Counter[Place] = Counter()
    is_of_call = False
    for line in text.splitlines():
        if found := NAMED.match(line):
            called, kind, number, name = found.groups()
            # The output has each name once, also where it is that of the function that is called.
            name = names[kind].setdefault(number, name or "")
            if not called:
                at[kind] = name
        elif line.startswith("calls="):
            is_of_call = True
        elif line[:1] in "+-*0123456789" and " " in line:
            # The line behind `calls=` has the cost of the called function.
            if not is_of_call:
                costs[Place.named(at["ob"], at["fn"].split("'")[0])] += int(line.split()[1])
            is_of_call = False
    return costs
