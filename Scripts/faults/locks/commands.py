"""The commands that meet each other, and what of the lock each takes."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from ..birdlog import OUTPUT
from ..scenario import common

BUSY = 75


@dataclass(frozen=True)
class Command:
    """A command line below a container, and the lock it asks for: `exclusive`, `shared` or `none`."""

    name: str
    lock: str
    #: Below the output folder; two exports at the same time need two names.
    product: str | None = None

    def argv(self, binary: Path, folder: Path, *options: str) -> list[str]:
        product = ["-o", str(folder / OUTPUT / self.product)] if self.product else []
        return [str(binary), *self.name.split(), *common(folder), *product, *options]

    def waits_for(self, held: str) -> bool:
        """Whether it has to wait while another process holds the lock in this way."""
        return self.lock != "none" and held != "none" and "exclusive" in (self.lock, held)


WRITING = [Command(name, "exclusive") for name in ("run", "copy", "migrate", "dedupe")]
READING = [Command("verify", "shared"), Command("plan", "shared")]
LOOKING = [Command("status", "none"), Command("history", "none")]


def export(name: str) -> Command:
    return Command("export", "shared", product=name)


def firsts() -> list[Command]:
    """Commands that are stopped."""
    return [*WRITING, export("first.json"), *READING]


def seconds() -> list[Command]:
    """Commands that come while another is stopped."""
    return [*WRITING, export("second.json"), *READING, *LOOKING]
