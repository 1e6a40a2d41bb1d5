"""A scenario made by hand, without a godwit: what a judgement is tried on."""

from __future__ import annotations

import plistlib
import shutil
import sqlite3
import stat
from pathlib import Path

from faults import birdlog
from faults.birdlog import CLOUD, CONTAINER, LOCAL, OUTPUT, PREFERENCES, Variant
from faults.judgment import Box
from faults.scenario import Scenario

#: A copy done by hand: a stand-in for the program that is judged. It takes no part of the real one's code.
STAND_IN = """\
#!/usr/bin/env python3
import plistlib, sqlite3, sys
container = sys.argv[sys.argv.index('-c') + 1]
local, cloud, preferences = (container + '/' + name for name in {names!r})
store = sqlite3.connect(cloud)
store.execute('ATTACH ? AS old', (local,))
names = [row[0] for row in store.execute("SELECT name FROM old.sqlite_master WHERE type = 'table'")]
for name in names:
    columns = len(store.execute(f'PRAGMA old.table_info({{name}})').fetchall())
    store.execute(store.execute('SELECT sql FROM old.sqlite_master WHERE name = ?', (name,)).fetchone()[0]
                  .replace('CREATE TABLE', 'CREATE TABLE IF NOT EXISTS'))
    store.execute(f'DELETE FROM {{name}}')
    store.execute(f'INSERT INTO {{name}} SELECT * FROM old.{{name}}')
store.execute('CREATE TABLE IF NOT EXISTS godwit_receipt(stage TEXT PRIMARY KEY)')
store.execute("INSERT OR IGNORE INTO godwit_receipt VALUES ('copy')")
store.execute('CREATE TABLE IF NOT EXISTS godwit_removed(entity, key, record, reason, winnerKey)')
store.commit()
with open(preferences, 'rb') as file:
    keys = plistlib.load(file)
keys[{flag!r}] = True
with open(preferences, 'wb') as file:
    plistlib.dump(keys, file, fmt=plistlib.FMT_BINARY)
if '-o' in sys.argv:
    with open(sys.argv[sys.argv.index('-o') + 1], 'w') as file:
        file.write('{{"entities": []}}')
"""


def make_stand_in(folder: Path) -> Path:
    program = folder / "stand-in"
    program.write_text(STAND_IN.format(names=(LOCAL, CLOUD, PREFERENCES), flag=birdlog.FLAG))
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    return program


def make_box(base: Path, **changes: object) -> Box:
    """The stand-in as a copy that only reads the local store and makes a document."""
    scenario = Scenario("copy", Variant("absent", "delete"), ("-o", "{out}/birdlog.json"), only_read=(LOCAL,),
                        product="birdlog.json", **changes)
    return Box(scenario, make_stand_in(base), base)


class Finished:
    """A container in which the command came to its end, for a test to spoil."""

    def __init__(self, box: Box) -> None:
        self.box, self.folder = box, box.copy()
        if box.run_again(self.folder):
            raise AssertionError("the stand-in is judged faulty")
        self.container = self.folder / CONTAINER
        self.product = self.folder / OUTPUT / "birdlog.json"

    def write(self, store: str, sql: str) -> None:
        connection = sqlite3.connect(self.container / store)
        with connection:
            connection.executescript(sql)
        connection.close()

    def set_key(self, key: str, value: object) -> None:
        path = self.container / PREFERENCES
        keys = plistlib.loads(path.read_bytes())
        keys[key] = value
        path.write_bytes(plistlib.dumps(keys, fmt=plistlib.FMT_BINARY))

    def damage(self, store: str) -> None:
        """Spoils the third page of a store, as a lost write does."""
        path = self.container / store
        content = bytearray(path.read_bytes())
        size = int.from_bytes(content[16:18], "big")
        content[2 * size:3 * size] = bytes(size)
        path.write_bytes(content)

    def restore(self, name: str) -> None:
        shutil.copy2(self.box.template / CONTAINER / name, self.container / name)
