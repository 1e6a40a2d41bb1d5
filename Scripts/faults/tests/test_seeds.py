"""The fuzz targets read the hostile inputs of the sweeps."""

from __future__ import annotations

import tempfile
import unittest
from pathlib import Path

from faults.hostile.badinputs import binarylists, companions
from seeds import hostile
from seeds.__main__ import MAKERS, main


class HostileInputTests(unittest.TestCase):
    def test_most_targets_get_hostile_inputs_that_they_can_hold(self) -> None:
        found = hostile.inputs()
        self.assertEqual(set(MAKERS) - set(found), {"core-data", "favorites"})
        for target, inputs in found.items():
            self.assertGreater(len(inputs), 10, target)
            self.assertTrue(all(len(content) <= hostile.LARGEST for content in inputs.values()), target)

    def test_a_target_reads_the_bytes_that_the_command_line_gets(self) -> None:
        found = hostile.inputs()
        self.assertEqual(found["binary-plist"]["plist-binary/good"], binarylists.GOOD)
        self.assertEqual(found["plist-edit"]["plist-binary/good"], b"\x01" + binarylists.GOOD)
        names = {item.name.rpartition("/")[2]: item.name for item in companions.items()}
        for name, marks in (("wal-live", 1), ("journal-hot", 2), ("journal-persisted", 2)):
            self.assertEqual(found["wal-clone"][names[name]].count(b"\n--cut--\n"), marks, name)

    def test_every_input_is_a_file_of_its_own(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            self.assertEqual(main(["--hostile", folder]), 0)
            for target, inputs in hostile.inputs().items():
                self.assertEqual(len(list((Path(folder) / target).iterdir())), len(inputs), target)


if __name__ == "__main__":
    unittest.main()
