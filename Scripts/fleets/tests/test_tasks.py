"""What Slurm says of tasks."""

from __future__ import annotations

import unittest

from ..tasks import parsed

ARRAY = """\
JobId=8 ArrayJobId=1 ArrayTaskId=8 ArrayTaskThrottle=8 JobName=godwit-fleet UserId=me(1) JobState=RUNNING Reason=None \
Requeue=1 Restarts=0 BatchFlag=1 ExitCode=0:0 StartTime=2026-11-22T10:00:00 EndTime=Unknown NodeList=node2
JobId=3 ArrayJobId=1 ArrayTaskId=3 ArrayTaskThrottle=8 JobName=godwit-fleet UserId=me(1) JobState=FAILED \
Reason=NonZeroExitCode Requeue=1 Restarts=1 BatchFlag=1 ExitCode=1:0 StartTime=2026-11-22T10:00:00 \
EndTime=2026-11-22T10:01:00 NodeList=node1 Command=/a b/godwit-fleet.sbatch run --all backups
JobId=1 ArrayJobId=1 ArrayTaskId=4-7 JobName=godwit-fleet JobState=PENDING Reason=Resources Restarts=0 ExitCode=0:0
"""


class TaskTests(unittest.TestCase):
    def test_tasks_by_number(self) -> None:
        found = parsed(ARRAY)
        self.assertEqual(sorted(found), [3, 8])
        self.assertEqual((found[3].state, found[3].ending, found[3].restarts), ("FAILED", "1:0", 1))
        self.assertEqual((found[3].started, found[3].ended), ("2026-11-22T10:00:00", "2026-11-22T10:01:00"))
        self.assertEqual(found[8].node, "node2")

    def test_what_has_ended(self) -> None:
        found = parsed(ARRAY)
        self.assertTrue(found[3].has_ended)
        self.assertFalse(found[8].has_ended)
        for state in ("PENDING", "COMPLETING", "REQUEUED", "SUSPENDED"):
            self.assertFalse(parsed(f"JobId=1 JobState={state}")[0].has_ended, state)

    def test_a_job_that_is_no_array_is_number_0(self) -> None:
        self.assertEqual(parsed("JobId=9 JobName=m JobState=COMPLETED ExitCode=0:0")[0].state, "COMPLETED")

    def test_nothing(self) -> None:
        self.assertEqual(parsed("\n"), {})
