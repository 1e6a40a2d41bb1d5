"""How large a fleet, and how often it is disturbed."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Plan:
    """The sizes of one sweep."""

    containers: int
    #: Fleets that are disturbed until they come through.
    rounds: int
    #: The most passes of one of them that are disturbed; the next one is not.
    disturbances: int
    #: How often shards, and two passes over the same fleet, run at the same time.
    crowds: int
    #: Offsets at which a torn journal ends.
    cuts: int
    seed: int

    @staticmethod
    def quick(seed: int) -> "Plan":
        return Plan(containers=10, rounds=8, disturbances=4, crowds=1, cuts=8, seed=seed)

    @staticmethod
    def full(seed: int) -> "Plan":
        return Plan(containers=60, rounds=60, disturbances=12, crowds=12, cuts=200, seed=seed)
