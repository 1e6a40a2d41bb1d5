"""The store in Core Data's layout holds the same diary as the plain one, in the form that the framework gives it."""

import contextlib
import plistlib
import sqlite3
import unittest
import uuid
import zlib
from datetime import datetime, timezone

from sampledata.command import REPOSITORY
from sampledata.coredata import CoreDataStore
from sampledata.coredata_entities import Attribute, Entity, Kind, Relation
from sampledata.tests.reading import instant, query
from sampledata.trainlog import CLASSES, LOCAL, PREFERENCES, SWIFT_DATA

APP = REPOSITORY / "SampleData/trainlog"
PLAIN, STORE = APP / "container" / LOCAL, APP / "container-swiftdata" / SWIFT_DATA
REFERENCE = datetime(2001, 1, 1, tzinfo=timezone.utc)


def text(blob):
    return str(uuid.UUID(bytes=blob)).upper()


def milliseconds(date):
    return round((instant(date) - REFERENCE).total_seconds() * 1000)


class CoreDataTests(unittest.TestCase):
    def test_every_workout_is_there_with_its_values(self):
        plain = query(PLAIN, "SELECT id, title, notes, startedAt, durationSeconds, createdAt, updatedAt FROM Workout")
        found = query(
            STORE,
            "SELECT ZID, ZTITLE, ZNOTES, ZSTARTEDAT, ZDURATIONSECONDS, ZCREATEDAT, ZUPDATEDAT FROM ZWORKOUT",
        )
        self.assertEqual(len(found), 40)
        self.assertEqual(
            {(text(r[0]), *r[1:3], round(r[3] * 1000), r[4], round(r[5] * 1000), round(r[6] * 1000)) for r in found},
            {(r[0], r[1], r[2], milliseconds(r[3]), r[4], milliseconds(r[5]), milliseconds(r[6])) for r in plain},
        )

    def test_every_set_is_there_and_leads_to_its_workout(self):
        plain = query(
            PLAIN,
            "SELECT id, workoutId, exerciseId, position, reps, weightKg, isWarmup, updatedAt FROM ExerciseSet",
        )
        found = query(
            STORE,
            "SELECT s.ZID, w.ZID, s.ZEXERCISEID, s.ZPOSITION, s.ZREPS, s.ZWEIGHTKG, s.ZISWARMUP, s.ZUPDATEDAT"
            " FROM ZEXERCISESET s JOIN ZWORKOUT w ON w.Z_PK = s.ZWORKOUT",
        )
        self.assertEqual(len(found), 600)
        self.assertEqual(
            {(text(r[0]), text(r[1]), *r[2:7], round(r[7] * 1000)) for r in found},
            {r[:7] + (milliseconds(r[7]),) for r in plain},
        )

    def test_records_carry_their_entity_and_keys_have_a_gap(self):
        numbers = dict(query(STORE, "SELECT Z_NAME, Z_ENT FROM Z_PRIMARYKEY"))
        for name, table, count in [("Workout", "ZWORKOUT", 40), ("ExerciseSet", "ZEXERCISESET", 600)]:
            with self.subTest(name):
                self.assertEqual(query(STORE, f"SELECT DISTINCT Z_ENT FROM {table}"), [(numbers[name],)])
                self.assertEqual(query(STORE, f"SELECT max(Z_PK), count(*) FROM {table}"), [(count + 1, count)])
                highest = query(STORE, f"SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = '{name}'")
                self.assertEqual(highest, [(count + 1,)])

    def test_columns_stand_in_the_order_that_the_framework_gives_them(self):
        columns = [row[0] for row in query(STORE, "SELECT name FROM pragma_table_info('ZEXERCISESET')")]
        self.assertEqual(
            " ".join(columns),
            "Z_PK Z_ENT Z_OPT ZISWARMUP ZPOSITION ZREPS ZWORKOUT ZCREATEDAT ZUPDATEDAT ZWEIGHTKG ZEXERCISEID ZID",
        )

    def test_the_framework_s_own_tables_are_filled(self):
        for table, count in [("Z_METADATA", 1), ("Z_MODELCACHE", 1), ("ATRANSACTION", 1), ("ACHANGE", 2)]:
            self.assertEqual(query(STORE, f"SELECT count(*) FROM {table}"), [(count,)])
        ((version, store, content),) = query(STORE, "SELECT * FROM Z_METADATA")
        metadata = plistlib.loads(content)
        self.assertEqual((version, metadata["NSStoreType"], str(uuid.UUID(store)).upper()), (1, "SQLite", store))
        self.assertEqual(metadata["NSStoreModelVersionHashes"].keys(), {"Workout", "ExerciseSet"})
        self.assertEqual({len(value) for value in metadata["NSStoreModelVersionHashes"].values()}, {32})

    def test_the_model_unpacks_to_an_archive_of_entities_and_properties(self):
        ((content,),) = query(STORE, "SELECT Z_CONTENT FROM Z_MODELCACHE")
        unpacker = zlib.decompressobj(-15)
        archive = plistlib.loads(unpacker.decompress(content))
        self.assertTrue(unpacker.eof and not unpacker.unused_data)
        objects = archive["$objects"]

        def named(item, key):
            return objects[item[key].data]

        properties = {}
        for item in objects:
            if isinstance(item, dict) and "NSPropertyName" in item:
                owner = named(named(item, "NSEntity"), "NSEntityName")
                target = named(item, "_NSDestinationEntityName") if "NSMaxCount" in item else None
                properties[owner, named(item, "NSPropertyName")] = item.get("NSAttributeType", target)
        self.assertEqual(len(properties), 17)
        self.assertEqual(properties["Workout", "startedAt"], 900)
        self.assertEqual(properties["ExerciseSet", "id"], 1100)
        self.assertEqual(properties["ExerciseSet", "workout"], "Workout")
        self.assertEqual(properties["Workout", "sets"], "ExerciseSet")
        root = objects[archive["$top"]["root"].data]
        self.assertEqual(objects[root["$class"].data]["$classname"], "NSManagedObjectModel")

    def test_the_preferences_are_those_of_the_plain_container(self):
        self.assertEqual(
            (APP / "container-swiftdata" / PREFERENCES).read_bytes(), (APP / "container" / PREFERENCES).read_bytes()
        )

    def test_the_store_is_sound(self):
        self.assertEqual(query(STORE, "PRAGMA integrity_check"), [("ok",)])
        self.assertEqual(len(CLASSES), 2)

    def test_null_stays_null_and_a_key_that_is_there_twice_is_refused(self):
        parent = Entity("Box", 1, "id", (Attribute("at", Kind.DATE, "at", True), Attribute("id", Kind.STRING, "id")))
        box = Relation("box", "Box", "cards", "boxId")
        child = Entity("Card", 2, "id", (Attribute("id", Kind.STRING, "id"),), (box,))
        rows = {"Box": [{"id": "b", "at": None}], "Card": [{"id": "c", "boxId": None}, {"id": "d", "boxId": "b"}]}
        with contextlib.closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
            CoreDataStore(connection, "app", [child, parent]).create(rows)
            self.assertEqual(connection.execute("SELECT ZAT, ZID FROM ZBOX").fetchall(), [(None, "b")])
            self.assertEqual(connection.execute("SELECT ZBOX, ZID FROM ZCARD").fetchall(), [(None, "c"), (1, "d")])
        rows["Box"] *= 2
        with contextlib.closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
            with self.assertRaisesRegex(ValueError, "Box: a key is there twice"):
                CoreDataStore(connection, "app", [child, parent]).create(rows)


if __name__ == "__main__":
    unittest.main()
