"""What the TrainLog containers hold, as its README promises."""

import plistlib
import unittest

from sampledata.command import REPOSITORY
from sampledata.tests.reading import compare, instant, query, records
from sampledata.trainlog import CLOUD, LOCAL, PREFERENCES

APP = REPOSITORY / "SampleData/trainlog"
FIRST, TWO = APP / "container", APP / "scenarios/two-devices/container"


class TrainLogTests(unittest.TestCase):
    def test_every_store_is_sound_small_and_in_rollback_mode(self):
        for path in (FIRST / LOCAL, TWO / LOCAL, TWO / CLOUD):
            with self.subTest(path):
                self.assertEqual(query(path, "PRAGMA integrity_check"), [("ok",)])
                self.assertEqual(query(path, "PRAGMA journal_mode"), [("delete",)])
                self.assertEqual(query(path, "SELECT name FROM sqlite_schema WHERE name LIKE 'godwit%'"), [])
                self.assertLess(path.stat().st_size, 300_000)

    def test_the_first_launch_has_forty_workouts_and_six_hundred_sets_at_version_one(self):
        tables = query(FIRST / LOCAL, "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
        self.assertEqual(tables, [("ExerciseSet",), ("Workout",)])
        self.assertEqual(len(records(FIRST / LOCAL, "Workout")), 40)
        self.assertEqual(len(records(FIRST / LOCAL, "ExerciseSet")), 600)
        self.assertFalse((FIRST / CLOUD).exists())

    def test_texts_null_and_fractions_are_there(self):
        texts = " ".join(row[1] + (row[2] or "") for row in records(FIRST / LOCAL, "Workout").values())
        for sign in ("懸垂", "💪", "🏋️‍♀️", "\n", '"'):
            self.assertIn(sign, texts)
        for sql, count in [
            ("SELECT count(*) FROM Workout WHERE notes IS NULL", 14),
            ("SELECT count(*) FROM Workout WHERE notes = ''", 2),
            ("SELECT count(*) FROM ExerciseSet WHERE weightKg <> round(weightKg)", 397),
            ("SELECT count(*) FROM ExerciseSet WHERE weightKg IS NULL", 48),
            ("SELECT count(*) FROM ExerciseSet WHERE typeof(weightKg) NOT IN ('real', 'null')", 0),
        ]:
            with self.subTest(sql):
                self.assertEqual(query(FIRST / LOCAL, sql), [(count,)])

    def test_no_set_is_without_its_workout(self):
        sql = "SELECT count(*) FROM ExerciseSet WHERE workoutId NOT IN (SELECT id FROM Workout)"
        for path in (FIRST / LOCAL, TWO / LOCAL, TWO / CLOUD):
            with self.subTest(path):
                self.assertEqual(query(path, sql), [(0,)])

    def test_the_preferences_have_settings_favorites_and_keys_that_nothing_maps(self):
        root = plistlib.loads((FIRST / PREFERENCES).read_bytes())
        self.assertEqual(root["weightUnit"], "lb")
        self.assertEqual(len(root["favoriteExercises"]), 5)
        self.assertIs(root["hasSeenTutorial"], True)
        unmapped = {"AppleLanguages", "launchCount", "lastOpenedAt"}
        self.assertLess(unmapped, root.keys())
        self.assertNotIn("cloudMigrationDone", root)

    def test_two_devices_hold_records_of_every_kind(self):
        expected = {
            "Workout": {"phone": 27, "cloud": 5, "equal": 6, "phone newer": 3, "cloud newer": 3, "tie": 1},
            "ExerciseSet": {"phone": 409, "cloud": 47, "equal": 176, "phone newer": 6, "cloud newer": 9, "tie": 0},
        }
        for table, counts in expected.items():
            with self.subTest(table):
                phone, cloud = records(TWO / LOCAL, table), records(TWO / CLOUD, table)
                found = dict.fromkeys(counts, 0)
                found["phone"], found["cloud"] = len(phone.keys() - cloud.keys()), len(cloud.keys() - phone.keys())
                for key in phone.keys() & cloud.keys():
                    found[compare(phone[key], cloud[key])] += 1
                self.assertEqual(found, counts)

    def test_the_newest_settings_are_not_those_whose_date_sorts_last_as_text(self):
        rows = query(TWO / CLOUD, "SELECT id, updatedAt FROM UserSettings")
        self.assertEqual(len(rows), 3)
        self.assertIn("singleton", [key for key, _ in rows])
        newest = max(rows, key=lambda row: instant(row[1]))
        self.assertNotEqual(newest, max(rows, key=lambda row: row[1]))
        self.assertNotEqual(newest[0], "singleton")
        ((_, phone),) = query(TWO / LOCAL, "SELECT id, updatedAt FROM UserSettings")
        self.assertLess(instant(phone), instant(newest[1]))

    def test_favourites_repeat_and_the_earliest_is_not_the_one_that_sorts_first_as_text(self):
        rows = query(TWO / CLOUD, "SELECT exerciseId, createdAt FROM FavoriteExercise")
        keys = [key for key, _ in rows]
        self.assertEqual((len(keys), keys.count("bench-press"), keys.count("deadlift")), (7, 3, 2))
        bench = [date for key, date in rows if key == "bench-press"]
        self.assertNotEqual(min(bench), min(bench, key=instant))
        self.assertEqual(query(TWO / LOCAL, "SELECT count(*) FROM FavoriteExercise"), [(0,)])


if __name__ == "__main__":
    unittest.main()
