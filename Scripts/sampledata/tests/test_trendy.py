"""What the Trendy containers hold, as its README promises."""

import json
import plistlib
import unittest

from sampledata.command import REPOSITORY
from sampledata.rows import record_uuid
from sampledata.tests.reading import AppTests, meeting, query, records, repeated
from sampledata.trendy import CLOUD, LOCAL, PREFERENCES, SYNC_EVENTS

APP = REPOSITORY / "SampleData/trendy"
FIRST = APP / "container"
LOST, TWO = (APP / f"scenarios/{name}/container" for name in ("lost-type", "two-devices"))
TO_TYPE = [("Event", "eventTypeId", "EventType", "id")]
ALL = TO_TYPE + [("Geofence", "eventTypeId", "EventType", "id"), ("Event", "geofenceId", "Geofence", "id")]


class TrendyTests(AppTests):
    def test_every_store_is_sound_and_as_the_app_left_it(self):
        self.check_stores(APP, 4)
        for path in (FIRST / LOCAL, TWO / LOCAL, TWO / CLOUD):
            self.check_references(path, ALL)

    def test_the_diary_has_fifty_events_of_six_types_and_four_geofences(self):
        for table, count in [("EventType", 6), ("Geofence", 4), ("Event", 50)]:
            self.assertEqual(query(FIRST / LOCAL, f"SELECT count(*), count(DISTINCT id) FROM {table}"), [(count,) * 2])
        for sql, count in [
            ("SELECT count(*) FROM Event WHERE geofenceId IS NOT NULL", 14),
            ("SELECT count(*) FROM Event WHERE endedAt IS NULL", 34),
            ("SELECT count(*) FROM Event WHERE isAllDay = 1", 3),
            ("SELECT count(*) FROM Event WHERE note = ''", 1),
            ("SELECT count(*) FROM Event WHERE typeof(updatedAt) <> 'integer'", 0),
        ]:
            with self.subTest(sql):
                self.assertEqual(query(FIRST / LOCAL, sql), [(count,)])

    def test_the_history_of_syncs_is_json_in_data_and_holds_the_last_ten(self):
        for container, count in [(FIRST, 37), (TWO, 41), (LOST, 10)]:
            root = plistlib.loads((container / PREFERENCES).read_bytes())
            self.assertIsInstance(root["sync_history"], bytes)
            entries = json.loads(root["sync_history"])
            with self.subTest(container):
                self.assertEqual(root["sync_count"], count)
                self.assertEqual([entry["id"] for entry in entries], list(range(count, count - 10, -1)))
                dates = [entry["startedAt"] for entry in entries]
                self.assertEqual(dates, sorted(dates, reverse=True))
                self.assertEqual(sum(entry["outcome"] == "failed" for entry in entries), 2)

    def test_pinned_types_are_ids_in_one_text(self):
        root = plistlib.loads((FIRST / PREFERENCES).read_bytes())
        pinned = root["pinned_event_types"].split(",")
        self.assertEqual(pinned, [record_uuid("trendy", f"type/{name}") for name in ("coffee", "run", "rain")])
        self.assertLess(set(pinned), records(FIRST / LOCAL, "EventType").keys())

    def test_two_events_lost_their_type(self):
        self.check_references(LOST / LOCAL, TO_TYPE, expected=2)
        self.assertEqual(query(LOST / LOCAL, "SELECT count(*) FROM Event"), [(5,)])
        self.assertEqual(query(LOST / LOCAL, "SELECT count(*) FROM EventType"), [(2,)])

    def test_phone_and_cloud_meet_in_every_way(self):
        self.assertEqual((TWO / LOCAL).read_bytes(), (FIRST / LOCAL).read_bytes())
        for table, at, expected in [
            ("EventType", -1, {"phone": 1, "cloud": 1, "equal": 3, "phone newer": 1, "cloud newer": 1}),
            ("Geofence", -1, {"phone": 1, "cloud": 1, "equal": 2, "cloud newer": 1}),
            ("Event", -2, {"phone": 39, "cloud": 4, "equal": 6, "phone newer": 2, "cloud newer": 2, "tie": 1}),
        ]:
            with self.subTest(table):
                self.assertEqual(meeting(TWO / LOCAL, TWO / CLOUD, table, lambda row: row[at]), expected)
        self.assertEqual(len(repeated(TWO / CLOUD, "Event", "id")), 2)
        self.assertEqual(len(repeated(TWO / CLOUD, "PinnedType", "eventTypeId")), 1)

    def test_every_line_of_the_sync_log_is_an_event(self):
        lines = (TWO / SYNC_EVENTS).read_text(encoding="utf-8").splitlines()
        events = [json.loads(line) for line in lines]
        self.assertEqual([event["type"] for event in events], ["setup", "import", "export", "export"])
        self.assertEqual([event["succeeded"] for event in events], [True, True, False, True])


if __name__ == "__main__":
    unittest.main()
