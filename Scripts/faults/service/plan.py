"""How long a soak takes, and when it kills."""

from __future__ import annotations

import random
from dataclasses import dataclass


@dataclass(frozen=True)
class Plan:
    """All times in seconds since its beginning."""

    seconds: float
    #: The service's interval.
    every: float
    kills: tuple[float, ...]
    forget_every: float
    seed: int

    @staticmethod
    def soak(seed: int) -> Plan:
        """Half an hour and twenty kills; none in the half between them, in which memory must not grow."""
        chance = random.Random(seed)
        early = [chance.uniform(10, 720) for _ in range(15)]
        late = [chance.uniform(1_650, 1_790) for _ in range(5)]
        return Plan(1_800, 2, tuple(sorted(early + late)), 60, seed)

    @staticmethod
    def quick(seed: int) -> Plan:
        """Long enough for every kind of point."""
        chance = random.Random(seed)
        return Plan(16, 1, tuple(sorted(chance.uniform(2, 10) for _ in range(4))), 7, seed)
