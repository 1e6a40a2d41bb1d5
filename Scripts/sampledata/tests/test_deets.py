"""What the Deets containers hold, as its README promises."""

import plistlib
import unittest

from sampledata.command import REPOSITORY
from sampledata.deets import CLOUD, LOCAL, PREFERENCES
from sampledata.rows import record_uuid
from sampledata.tests.reading import AppTests, meeting, query, records, repeated

APP = REPOSITORY / "SampleData/deets"
FIRST = APP / "container"
BARE, TWO = (APP / f"scenarios/{name}/container" for name in ("no-preferences", "two-devices"))
ENCOUNTERS = [("Encounter", "cardId", "Card", "id")]


def card(name):
    return record_uuid("deets", f"card/{name}")


def modified(row):
    return -1.0 if row[-1] is None else row[-1]


class DeetsTests(AppTests):
    def test_every_store_is_sound_and_as_the_app_left_it(self):
        self.check_stores(APP, 4)
        for path in (FIRST / LOCAL, TWO / LOCAL, TWO / CLOUD):
            self.check_references(path, ENCOUNTERS)

    def test_the_box_has_eighteen_rows_for_sixteen_cards(self):
        self.assertEqual(query(FIRST / LOCAL, "SELECT count(*), count(DISTINCT id) FROM Card"), [(18, 16)])
        self.assertEqual(repeated(FIRST / LOCAL, "Card", "id"), {card("tanabe"): 2, card("kim"): 2})
        self.assertEqual(query(FIRST / LOCAL, "SELECT count(*) FROM (SELECT DISTINCT * FROM Card)"), [(17,)])
        self.assertEqual(query(FIRST / LOCAL, "SELECT count(*) FROM Encounter"), [(12,)])
        for other in (BARE, TWO):
            self.assertEqual((other / LOCAL).read_bytes(), (FIRST / LOCAL).read_bytes())

    def test_photos_are_pictures_and_a_date_is_missing(self):
        photos = [row[0] for row in query(FIRST / LOCAL, "SELECT photo FROM Card WHERE photo IS NOT NULL")]
        self.assertEqual(len(photos), 9)
        for photo in photos:
            self.assertTrue(photo.startswith(b"\x89PNG\r\n\x1a\n") and photo.endswith(b"IEND\xaeB`\x82"))
        undated = query(FIRST / LOCAL, "SELECT id FROM Card WHERE dateModified IS NULL")
        self.assertEqual(undated, [(card("varga"),)])

    def test_the_cards_marked_local_only_are_those_the_cloud_lacks(self):
        marked = {row[0] for row in query(TWO / LOCAL, "SELECT DISTINCT id FROM Card WHERE isLocalOnly = 1")}
        self.assertEqual(len(marked), 6)
        self.assertEqual(marked, records(TWO / LOCAL, "Card").keys() - records(TWO / CLOUD, "Card").keys())
        self.assertEqual(query(TWO / CLOUD, "SELECT count(*) FROM Card WHERE isLocalOnly <> 0"), [(0,)])

    def test_some_cards_were_edited_on_both_devices(self):
        self.assertEqual(
            meeting(TWO / LOCAL, TWO / CLOUD, "Card", modified),
            {"phone": 6, "cloud": 2, "equal": 3, "phone newer": 2, "cloud newer": 4, "tie": 1},
        )
        self.assertEqual(
            meeting(TWO / LOCAL, TWO / CLOUD, "Encounter", modified),
            {"phone": 8, "cloud": 2, "equal": 2, "phone newer": 1, "cloud newer": 1},
        )
        self.assertEqual(repeated(TWO / CLOUD, "Card", "id"), {card("dunn"): 2})
        far = query(TWO / CLOUD, "SELECT id, datetime(dateModified + 978307200, 'unixepoch') FROM Card"
                    " WHERE dateModified > 1000000000")
        self.assertEqual(far, [(card("suzuki"), "2036-01-01 00:00:00")])

    def test_favourites_are_a_keyed_archive_in_an_xml_file(self):
        content = (FIRST / PREFERENCES).read_bytes()
        self.assertTrue(content.startswith(b"<?xml"))
        archive = plistlib.loads(plistlib.loads(content)["FavoriteCards"])
        objects = archive["$objects"]
        texts = [objects[item.data] for item in objects[archive["$top"]["root"].data]["NS.objects"]]
        self.assertEqual(texts, [card(name) for name in ("tanabe", "haddad", "suzuki", "moreau")])
        self.assertLess(set(texts), records(FIRST / LOCAL, "Card").keys())

    def test_the_restored_backup_has_no_preferences(self):
        self.assertFalse((BARE / PREFERENCES).exists())
        self.assertTrue((BARE / PREFERENCES).parent.is_dir())


if __name__ == "__main__":
    unittest.main()
