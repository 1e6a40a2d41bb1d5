"""The same oddities for a container whose local store is one of Core Data's, and for commands without a manifest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ..hostile.apps import SWIFTDATA
from .environments import REFUSED
from .surrounding import OK, Surrounding

WHOLE = (("inspect",), ("init",), ("plan",), ("run",), ("verify",))
#: Where there may be no scratch folder: what only looks.
LOOKING = (("inspect",), ("init",), ("plan",), ("export", "-n"))
#: In a quick sweep only these.
QUICK = ("no variables at all", "TMPDIR missing", "container named with newline", "container named with 255 bytes")


def twins(others: Sequence[Surrounding]) -> list[Surrounding]:
    """Those surroundings that do not depend on the app, with another one in them."""
    plain = Surrounding("", lambda place: None).commands
    found = []
    for one in others:
        if one.check or one.codes not in (OK, OK | REFUSED) or one.codes == OK and one.commands != plain:
            continue
        found.append(replace(
            one, name=f"{one.name}, Core Data", app=SWIFTDATA, commands=WHOLE if one.codes == OK else LOOKING,
            is_quick=one.name in QUICK))
    return found
