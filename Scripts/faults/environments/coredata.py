"""The same oddities for a container whose local store is one of Core Data's, and for commands without a manifest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ..hostile.apps import SWIFTDATA
from .environments import REFUSED
from .surrounding import OK, Surrounding

WHOLE = (("inspect",), ("init",), ("plan",), ("run",), ("verify",))
#: Commands that only read, for surroundings without a scratch folder.
READING = (("inspect",), ("init",), ("plan",), ("export", "-n"))
#: The surroundings of a quick sweep.
QUICK = ("no variables at all", "TMPDIR missing", "container named with newline", "container named with 255 bytes")


def twins(others: Sequence[Surrounding]) -> list[Surrounding]:
    """The surroundings that do not depend on the app, with another app in them."""
    chosen = [one for one in others if not one.check and (
        one.codes == OK | REFUSED or one.codes == OK and one.commands == Surrounding.commands)]
    return [replace(one, name=f"{one.name}, Core Data", app=SWIFTDATA, is_quick=one.name in QUICK,
                    commands=WHOLE if one.codes == OK else READING) for one in chosen]
