"""How large a fleet, and how often it is disturbed."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Plan:
    """The sizes of one sweep."""

    containers: int
    #: Fleets that are disturbed until they come through.
    rounds: int
    #: Passes of one of them that are disturbed at most; the one after that is left alone.
    disturbances: int
    #: How often shards, and two who want the same, go side by side.
    crowds: int
    #: Places where a journal ends that was torn.
    cuts: int
    seed: int

    @staticmethod
    def quick(seed: int) -> "Plan":
        return Plan(containers=10, rounds=8, disturbances=4, crowds=1, cuts=8, seed=seed)

    @staticmethod
    def full(seed: int) -> "Plan":
        return Plan(containers=60, rounds=60, disturbances=12, crowds=12, cuts=200, seed=seed)
