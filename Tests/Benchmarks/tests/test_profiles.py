"""What valgrind, perf and ldd write must be read right: a figure that is added up wrongly looks like any other."""

from __future__ import annotations

import hashlib
import json
import shutil
import sqlite3
import unittest
from collections import Counter
from pathlib import Path
from subprocess import run
from tempfile import TemporaryDirectory

from Benchmarks import callgrind, limits, profiling, sampling, starting, startup, symbols, trainlog
from Benchmarks.measuring import Measured, Taken, Work
from Benchmarks.symbols import LONGEST, NAMELESS, Place, by, largest, shortened

CALLGRIND = """\
version: 1
creator: callgrind-3.19.0
positions: line
events: Ir

ob=(1) /usr/bin/godwit
fl=(1) ???
fn=(1) $s11GodwitStore4readyyF
0 100
cob=(2) /lib/libsqlite3.so.0.8.6
cfi=(2) ???
cfn=(2) sqlite3_step
calls=3 0
0 7000
+4 20
fn=(3) $s4GRDB8DatabaseC5closeyyF
16 5
* 6

ob=(2)
fl=(2)
fn=(2)
0 900
cfn=(2)
calls=1 0
0 800
fn=(4) 0x00000000000f87e0
0 50
fn=(5) sqlite3_step'2
-3 7
totals: 1088
"""


class CallgrindTests(unittest.TestCase):
    def test_costs_are_those_of_the_function_itself(self) -> None:
        found = callgrind.parsed(CALLGRIND)
        godwit, sqlite = "/usr/bin/godwit", "/lib/libsqlite3.so.0.8.6"
        self.assertEqual(found, Counter({
            Place(godwit, "$s11GodwitStore4readyyF"): 120, Place(godwit, "$s4GRDB8DatabaseC5closeyyF"): 11,
            Place(sqlite, "sqlite3_step"): 907, Place(sqlite, ""): 50}))
        self.assertEqual(sum(found.values()), 1088)


class SamplingTests(unittest.TestCase):
    def test_lines_of_perf(self) -> None:
        found = sampling.parsed("346038105  |[kernel.kallsyms]   |[k] _copy_to_iter\n\n"
                                "5  |libsqlite3.so.0.8.6 |[.] 0x00000000000b83fc\n"
                                "6  |libsqlite3.so.0.8.6 |[.] 0x0000000000033550\n"
                                "7  |godwit |[.] operator|(A, B)\n# a remark\n")
        self.assertEqual(found, Counter({Place("[kernel.kallsyms]", "_copy_to_iter"): 346038105,
                                         Place("libsqlite3.so.0.8.6", ""): 11, Place("godwit", "operator|(A, B)"): 7}))


class LibraryTests(unittest.TestCase):
    def test_whose_code_it_is(self) -> None:
        for object, symbol, library in (
            ("/lib/libsqlite3.so.0.8.6", "sqlite3_step", "SQLite"), ("[kernel.kallsyms]", "vfs_read", "kernel"),
            ("/usr/lib/libz.so.1.2.13", "deflate", "zlib"), ("/lib/libc.so.6", "malloc", "libc"),
            ("/x/ld-linux-x86-64.so.2", "do_lookup_x", "loader"), ("/x/lib_FoundationICU.so", "u_init", "ICU"),
            ("/x/libswiftCore.so", "swift_release", "Swift's runtime and standard library"),
            ("/x/libFoundationEssentials.so", "$s1", "Foundation"),
            ("/x/godwit", "CCryptoBoringSSL_sha256_block_data_order_hw", "hashing (BoringSSL)"),
            ("/x/godwit", "$s11GodwitStore12SQLiteCursorV", "Godwit"), ("/x/godwit", "main", "Godwit"),
            # An extension of Godwit's of a type of the standard library.
            ("/x/godwit", "$sSW11GodwitModelE21isValidUTF8WithoutNULSbvg", "Godwit"),
            ("/x/godwit", "$s4GRDB8DatabaseC5closeyyF", "other packages"),
            ("/x/godwit", "swift_retain", "Swift's runtime and standard library"),
            ("/x/godwit", "$sSa6append10contentsOfyqd__n_tF", "Swift's runtime and standard library"),
            ("[vdso]", "clock_gettime", "[vdso]"), ("", "", "other"),
        ):
            self.assertEqual(Place(object, symbol).library, library, (object, symbol))

    def test_functions_of_an_archive(self) -> None:
        said = "\nmain.o:\n0000000000000a60 t accessPayload\n0000000000000010 T sqlite3_open\n0000000000000000 r aType\n"
        self.assertEqual(symbols.functions_of(said), frozenset({"accessPayload", "sqlite3_open"}))
        if "checkTreePage" in symbols.names_of_sqlite():
            self.assertEqual(Place("/x/godwit", "checkTreePage").library, "SQLite")
        self.assertEqual(Place("/x/godwit", "main").library, "Godwit")

    def test_shares_add_up_and_the_largest_comes_first(self) -> None:
        costs = Counter({Place("libz.so.1", "deflate"): 25, Place("libc.so.6", "free"): 50,
                         Place("libc.so.6", "malloc"): 25})
        self.assertEqual(list(by(costs, lambda place: place.library).items()), [("libc", 0.75), ("zlib", 0.25)])
        self.assertEqual(largest(costs, 1), [(Place("libc.so.6", "free"), 0.5)])
        self.assertEqual(by(Counter(), lambda place: place.library), {})


class NameTests(unittest.TestCase):
    def test_names_fit_a_table(self) -> None:
        for name, shown in (("pthread_mutex_lock@@GLIBC_2.2.5", "pthread_mutex_lock"), ("", NAMELESS),
                           ("a::f(b::C<int> const&, (anonymous namespace)::D)::g(int)", "a::f::g"),
                           ("SQLiteCursor.column(_:equals:of:)", "SQLiteCursor.column(_:equals:of:)"),
                           ("a | b", "a \\| b")):
            self.assertEqual(shortened(name), shown)
        self.assertEqual(len(shortened("x" * 500)), LONGEST)

    def test_a_profile_shows_both_shares(self) -> None:
        counted = Counter({Place("libsqlite3.so", "sqlite3_step"): 75, Place("godwit", "main"): 25})
        text = profiling.of_command("copy", counted, Counter({Place("[kernel.kallsyms]", "read"): 2_000_000_000}), (11, 110))
        self.assertIn("100 instructions for 11 records; 2.00 seconds of the processors for 110.", text)
        self.assertIn("| kernel | 0.0 % | 100.0 % |", text)
        self.assertIn("| SQLite | 75.0 % | 0.0 % |", text)


class FloorTests(unittest.TestCase):
    def test_the_least_is_the_sum_shared_by_all_processors(self) -> None:
        seconds = {part: 0.5 for floor in limits.FLOORS for _, part in floor.parts}
        seconds |= {limits.SQLITE_JSON: 4, limits.INSERTED: 1, limits.INSERTED_INSIDE: 1, "godwit export": 3, "godwit copy": 2,
                    limits.EXPORT_IN_PARALLEL: 2.25, limits.COPY_IN_PARALLEL: 2.75, limits.IDEAL: 2.5}
        found = [Measured(Work(name, ""), (Taken(one, one, 1),), 0) for name, one in seconds.items()]
        export, copy = limits.floors(found, 2)
        self.assertEqual([export[0], *export[2:]], ["godwit export", "sqlite3 -json", "3.50", "1.75", "2.25", "2.50", "1.00", "3.00"])
        self.assertEqual([copy[0], *copy[3:]], ["godwit copy", "4.00", "2.00", "2.75", "", "2.00", "2.00"])
        self.assertIn("2 × `quick_check`", copy[1])


class PlainTests(unittest.TestCase):
    """The plain program makes what an export has to hold: else there would be nothing to compare."""

    def test_it_makes_json_of_every_record_in_key_order(self) -> None:
        with TemporaryDirectory() as folder:
            store, document = Path(folder) / "a.store", Path(folder) / "a.json"
            trainlog.fill(store, 300, 3000)
            with sqlite3.connect(store) as connection:
                # Of keys that begin alike the rest decides; the first eight bytes of these are the same.
                connection.executemany(
                    "INSERT INTO Workout(id, title, startedAt, createdAt, updatedAt) VALUES (?, ?, '', '', '')",
                    [(f"00000000-0000-4000-8000-{number * 7 % 50:012}", text) for number, text in enumerate(
                        ["", "1234567", "12345678", "1234567\\", "\"\"\"\"", "\x01\x1f\x7f\n\t", "é" * 9, "💪"] * 6)])
            connection.close()
            program = limits.plain(Path(folder))
            run([program, store, document, "Workout", "ExerciseSet"], check=True)
            made = json.loads(document.read_text())
            self.assertEqual(run([program, store, "~", "Workout", "ExerciseSet"], check=True, capture_output=True).stdout,
                             run([program, store, "-", "Workout", "ExerciseSet"], check=True, capture_output=True).stdout)
            # Without a document it makes the same texts: only what is around them is missing.
            bytes = run([program, store, "-", "Workout", "ExerciseSet"], check=True, capture_output=True, text=True).stdout
            records = sum(len(made[table]) for table in made)
            around = len('{"Workout":[' + '],\n"ExerciseSet":[' + "]}\n") + len(",\n") * (records - len(made))
            self.assertEqual(int(bytes) + around, document.stat().st_size)
            with sqlite3.connect(store) as connection:
                connection.row_factory = sqlite3.Row
                for table in ("Workout", "ExerciseSet"):
                    there = [dict(row) for row in connection.execute(f"SELECT * FROM {table} ORDER BY id")]
                    self.assertEqual(made[table], there)
            connection.close()

    def test_it_runs_sql(self) -> None:
        with TemporaryDirectory() as folder:
            program, store = limits.plain(Path(folder)), Path(folder) / "a.store"
            made = run([program, store, "+", "CREATE TABLE T(a, b); INSERT INTO T VALUES (1, 'x'), (2, 'y')", "SELECT b FROM T"],
                       check=True, capture_output=True, text=True)
            self.assertEqual(made.stdout, "x\ny\n")
            sums = [run([program, store, "=", f"SELECT entries({columns}) FROM T"], check=True, capture_output=True).stdout
                    for columns in ("a, b", "a, b", "b, a", "a, b || ''", "a, upper(b)", "a")]
            self.assertEqual(len(set(sums)), 4)
            refused = run([program, store, "=", "DELETE FROM T"], capture_output=True, text=True)
            self.assertEqual((refused.returncode, refused.stderr), (1, "plain: attempt to write a readonly database\n"))

    def test_it_says_what_it_can_not_do(self) -> None:
        with TemporaryDirectory() as folder:
            ended = run([limits.plain(Path(folder)), Path(folder) / "none", Path(folder) / "made", "Workout"],
                        capture_output=True, text=True)
            self.assertEqual((ended.returncode, ended.stderr), (1, "plain: can't open the store\n"))


def has_crypto() -> bool:
    return run([shutil.which("cc") or "clang", "-E", "-xc", "-"], input=b"#include <openssl/evp.h>", capture_output=True).returncode == 0


@unittest.skipUnless(has_crypto(), "needs OpenSSL's headers (on Debian: apt-get install libssl-dev)")
class IdealTests(unittest.TestCase):
    """The program that an export is measured by does all of the work, else it would be no wonder that it is quick."""

    def test_it_makes_the_same_document_however_it_keeps_texts(self) -> None:
        with TemporaryDirectory() as folder:
            store, document, made = (Path(folder) / name for name in ("a.store", "a.json", "b.json"))
            trainlog.fill(store, 3000, 30000)
            run([limits.plain(Path(folder)), store, document, "Workout", "ExerciseSet"], check=True)
            hashed = hashlib.sha256(document.read_bytes()).hexdigest() + "\n"
            for words, _ in limits.IDEALS:
                said = run([limits.ideal(Path(folder)), store, made, *words, "Workout", "ExerciseSet"], check=True,
                           capture_output=True, text=True).stdout
                self.assertEqual((said, made.read_bytes() == document.read_bytes()), (hashed, True), words)
                self.assertEqual([file.name for file in Path(folder).glob("b.json*")], ["b.json"])

    def test_it_finds_an_index_that_does_not_hold_what_its_table_does(self) -> None:
        with TemporaryDirectory() as folder:
            store = Path(folder) / "a.store"
            trainlog.fill(store, 300, 3000)
            with sqlite3.connect(store) as connection:
                connection.execute("PRAGMA writable_schema = 1")
                connection.execute("UPDATE sqlite_schema SET sql = replace(sql, '(id)', '(title)') WHERE name = 'Workout_id'")
            connection.close()
            ended = run([limits.ideal(Path(folder)), store, Path(folder) / "made", "Workout", "ExerciseSet"],
                        capture_output=True, text=True)
            self.assertEqual((ended.returncode, ended.stderr), (1, "ideal: an index does not hold what its table does\n"))

    def test_it_says_what_it_can_not_do(self) -> None:
        with TemporaryDirectory() as folder:
            program, store = limits.ideal(Path(folder)), Path(folder) / "a.store"
            with sqlite3.connect(store) as connection:
                connection.execute("CREATE TABLE T (id TEXT, a)")
                connection.execute("INSERT INTO T VALUES ('no UUID', 1)")
            connection.close()
            for words, said in ((("none", "made", "T"), "can't open the store"), (("a.store", "made"), "usage: "),
                                (("a.store", "made", "T"), "a record is not as expected"),
                                (("a.store", "no/made", "T"), "can't make the document")):
                ended = run([program, *words], cwd=folder, capture_output=True, text=True)
                self.assertEqual(ended.returncode, 1, words)
                self.assertIn(f"ideal: {said}", ended.stderr)


class LoadedTests(unittest.TestCase):
    def test_libraries_are_files(self) -> None:
        said = ("\tlinux-vdso.so.1 (0x00007f18)\n\tlibz.so.1 => /lib/libz.so.1 (0x00007f18)\n"
                "\t/lib64/ld-linux-x86-64.so.2 (0x00007f18)\n")
        self.assertEqual(startup.parsed(said), ["ld-linux-x86-64.so.2", "libz.so.1"])
        self.assertEqual(startup.parsed("\tstatically linked\n"), [])
        self.assertEqual(startup.parsed(""), [])

    def test_the_loader_tells_of_the_time_before_main(self) -> None:
        said = ("  83:\truntime linker statistics:\n  83:\t  total startup time in dynamic loader: 11032917 cycles\n"
                "  83:\t  time needed for relocation: 555099 cycles (5.0%)\n"
                "  83:\t  number of relocations: 3403\n  83:\t  number of relocations from cache: 2381\n"
                "  83:\t  number of relative relocations: 109708\n"
                "  83:\t  time needed to load objects: 1465956 cycles (13.2%)\n"
                "  83:\t  final number of relocations: 3542\n")
        self.assertEqual(starting.statistics(said), {"cycles": 11032917, "relocating": 555099, "loading": 1465956,
                                                     "by name": 3403, "relative": 109708})
        self.assertEqual(starting.statistics("unknown"), {})

    def test_bytes_are_counted_by_file(self) -> None:
        asked = starting.parsed([
            'openat(AT_FDCWD</app>, ""..., O_RDONLY|O_CLOEXEC) = 4</app/a.store>',
            'pread64(4</app/a.store>, ""..., 4096, 8192) = 4096', 'read(4</app/a.store>, ""..., 4096) = 100',
            'read(3<pipe:[12]>, ""..., 4096) = 7', 'read(4</app/a.store>, 0x7ff, 4096) = -1 EAGAIN (again)',
            'mmap(NULL, 8192, PROT_READ, MAP_PRIVATE, 5</lib/libz.so.1>, 0) = 0x7f00', "+++ exited with 0 +++"])
        self.assertEqual(asked.calls, 6)
        self.assertEqual((asked.opened, asked.read), ({"/app/a.store": 1}, {"/app/a.store": 4196}))
        self.assertEqual(asked.mapped, {"/lib/libz.so.1"})
