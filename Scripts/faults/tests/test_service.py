"""What the sweep of the service finds in an export, and in a service's log."""

from __future__ import annotations

import tempfile
import unittest
from pathlib import Path
from types import SimpleNamespace

from faults.service import proof
from faults.service.keeper import Keeper
from faults.service.plan import Plan


def export(sightings: int, total: int, ledger: tuple[str, float] | None = None) -> SimpleNamespace:
    """An export whose sightings have that sum, and whose ledger says the same by default."""
    seen = [total - sightings + 1] + [1] * (sightings - 1)
    name, weight = ledger or (str(sightings), float(total))
    species = [{"id": "ledger", "name": name, "weight": weight}, {"id": "number", "name": "7", "weight": 0.0}]
    return SimpleNamespace(entities=[
        SimpleNamespace(name="Species", records=species),
        SimpleNamespace(name="Sighting", records=[{"seen": value} for value in seen])])


class ShownTests(unittest.TestCase):
    def test_one_moment_is_shown_as_such(self) -> None:
        moment, faults = proof.shown(export(3, 12))
        self.assertEqual((moment.sightings, moment.sum, moment.number, faults), (3, 12, 7, []))

    def test_a_record_too_few_or_a_value_of_another_moment_is_found(self) -> None:
        for ledger in (("4", 12.0), ("3", 13.0)):
            _, faults = proof.shown(export(3, 12, ledger))
            self.assertIn("two moments", faults[0])

    def test_an_export_without_the_ledger_is_a_fault(self) -> None:
        moment, faults = proof.shown(SimpleNamespace(entities=[]))
        self.assertIsNone(moment)
        self.assertTrue(faults)


class KeeperTests(unittest.TestCase):
    def keeper(self, log: str, errors: str = "") -> Keeper:
        folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        keeper = Keeper(Path("godwit"), folder, folder / "exports", Plan.quick(1))
        keeper.log.write_text(log)
        keeper.errors.write_text(errors)
        return keeper

    def test_a_log_of_whole_lines_without_failures_is_good(self) -> None:
        line = "2026-11-21T06:00:00.000Z exported file=/a.json cause=start ms=3\n"
        self.assertEqual(self.keeper(line + line.replace("exported", "unchanged")).faults_of_log(), [])

    def test_failures_torn_lines_warnings_and_silence_are_faults(self) -> None:
        self.assertTrue(self.keeper("2026-11-21T06:00:00.000Z failed code=74 cause=start\n").faults_of_log())
        self.assertTrue(self.keeper("exported\n").faults_of_log())
        self.assertTrue(self.keeper("2026-11-21T06:00:00Z exported x\n", "2026Z warning: no\n").faults_of_log())
        self.assertTrue(self.keeper("").faults_of_log())

    def test_memory_that_grows_in_a_long_life_is_a_fault_and_in_a_short_one_none(self) -> None:
        keeper = self.keeper("")
        keeper.samples = [[]]
        self.assertTrue(keeper.faults_of_memory(), "it was never seen")
        for seconds, faulty in ((30, False), (600, True)):
            keeper.samples = [[(float(age), (20 << 20) + (age * (10 << 20)) // seconds, 9) for age in range(seconds)]]
            self.assertEqual(bool(keeper.faults_of_memory()), faulty)
        keeper.samples = [[(float(age), 20 << 20, 9 + age // 100) for age in range(600)]]
        self.assertTrue(keeper.faults_of_memory(), "open files grow")
        keeper.samples, keeper.highest = [[(float(age), 20 << 20, 9) for age in range(600)]], 65 << 20
        self.assertTrue(keeper.faults_of_memory(), "too much at once")


class PlanTests(unittest.TestCase):
    def test_the_soak_is_half_an_hour_with_twenty_kills_and_a_long_life_between_them(self) -> None:
        plan = Plan.soak(1)
        self.assertEqual((plan.seconds, plan.every, len(plan.kills)), (1_800, 2, 20))
        gaps = [after - before for before, after in zip(plan.kills, plan.kills[1:])]
        self.assertGreater(max(gaps), 600)
        self.assertEqual(plan, Plan.soak(1))


if __name__ == "__main__":
    unittest.main()
