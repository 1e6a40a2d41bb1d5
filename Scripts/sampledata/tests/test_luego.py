"""What the Luego containers hold, as its README promises."""

import plistlib
import unittest

from sampledata.command import REPOSITORY
from sampledata.luego import CLOUD, LOCAL, PREFERENCES, READER
from sampledata.tests.reading import AppTests, instant, meeting, query, records, repeated

APP = REPOSITORY / "SampleData/luego"
FIRST = APP / "container"
OLD, TWO = (APP / f"scenarios/{name}/container" for name in ("old-release", "two-devices"))
HIGHLIGHTS = [("Highlight", "articleUrl", "Article", "url")]


class LuegoTests(AppTests):
    def test_every_store_is_sound_and_as_the_app_left_it(self):
        self.check_stores(APP, 4)
        for path in (FIRST / LOCAL, TWO / LOCAL):
            self.check_references(path, HIGHLIGHTS)

    def test_one_highlight_reached_the_cloud_before_its_article(self):
        self.check_references(TWO / CLOUD, HIGHLIGHTS, expected=1)
        sql = "SELECT articleUrl FROM Highlight WHERE articleUrl NOT IN (SELECT url FROM Article)"
        self.assertIn(query(TWO / CLOUD, sql)[0][0], records(TWO / LOCAL, "Article"))

    def test_the_shelf_has_twenty_nine_rows_for_twenty_four_addresses(self):
        self.assertEqual(query(FIRST / LOCAL, "SELECT count(*), count(DISTINCT url) FROM Article"), [(29, 24)])
        self.assertEqual(query(FIRST / LOCAL, "SELECT count(*) FROM Highlight"), [(12,)])
        self.assertEqual(
            repeated(FIRST / LOCAL, "Article", "url"),
            {
                "https://clocks.example.com/leap-seconds": 3,
                "https://gardens.example.org/2026/09/moss": 2,
                "https://letters.example.org/17": 2,
                "https://slowmaps.example.com/tide-tables": 2,
            },
        )
        self.assertEqual((TWO / LOCAL).read_bytes(), (FIRST / LOCAL).read_bytes())

    def test_addresses_that_only_look_alike_are_different_ones(self):
        found = {row[0] for row in query(FIRST / LOCAL, "SELECT url FROM Article WHERE title LIKE 'On italics%'")}
        self.assertEqual(len(found), 3)
        self.assertEqual(len({address.lower().rstrip("/") for address in found}), 1)
        sql = "SELECT count(DISTINCT url) FROM Article WHERE title = '夜の図書館を歩く'"
        self.assertEqual(query(FIRST / LOCAL, sql), [(2,)])

    def test_the_newest_saving_is_not_the_one_whose_date_sorts_last_as_text(self):
        for path, url in [
            (FIRST / LOCAL, "https://slowmaps.example.com/tide-tables"),
            (FIRST / LOCAL, "https://gardens.example.org/2026/09/moss"),
            (TWO / CLOUD, "https://coast.example.net/ferry"),
        ]:
            dates = [row[0] for row in query(path, f"SELECT updatedAt FROM Article WHERE url = '{url}'")]
            with self.subTest(url):
                self.assertEqual(len(dates), 2)
                self.assertNotEqual(max(dates), max(dates, key=instant))

    def test_phone_and_cloud_meet_in_every_way(self):
        found = meeting(TWO / LOCAL, TWO / CLOUD, "Article", lambda row: instant(row[-1]))
        expected = {"phone": 17, "cloud": 4, "equal": 2, "phone newer": 2, "cloud newer": 2, "tie": 1}
        self.assertEqual(found, expected)

    def test_read_marks_and_settings_are_in_two_suites(self):
        root, reader = (plistlib.loads((FIRST / path).read_bytes()) for path in (PREFERENCES, READER))
        self.assertEqual((len(root["readArticles"]), root["textSize"], reader["textSize"]), (8, 19, 17))
        self.assertEqual(root.keys() & reader.keys(), {"textSize"})
        urls = set(records(FIRST / LOCAL, "Article"))
        self.assertEqual(root["readArticles"].keys() - urls, {"https://letters.example.org/16"})

    def test_the_old_release_has_one_table_and_older_forms(self):
        tables = query(OLD / LOCAL, "SELECT name FROM sqlite_schema WHERE type = 'table'")
        self.assertEqual(tables, [("Article",)])
        root = plistlib.loads((OLD / PREFERENCES).read_bytes())
        self.assertIsInstance(root["readArticles"], str)
        self.assertEqual((root["textSize"], root["readerTheme"]), ("18", "solarized"))
        self.assertFalse((OLD / READER).exists())


if __name__ == "__main__":
    unittest.main()
