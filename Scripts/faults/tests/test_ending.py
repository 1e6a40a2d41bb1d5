"""The judgement of how a disturbed command ended must find what is wrong with it."""

from __future__ import annotations

import random
import unittest
from pathlib import Path

from faults import ending, errors, flushing, signals, tracing

FOLDER = Path("/box")
GOOD = ("godwit: error: Can't write Library/Preferences/com.example.birdlog.plist. (full)\n"
        "hint: Free some space and go on.\n")
STORE = "/box/c/Library/Application Support/BirdlogCloud.store"
PREFERENCES = "/box/c/Library/Preferences/com.example.birdlog.plist"


class StatusTests(unittest.TestCase):
    def test_what_is_allowed_is_no_fault(self) -> None:
        self.assertEqual(ending.faults_of_status(74, {0, 74}), [])
        self.assertEqual(ending.faults_of_status(143, {0, 143}), [])

    def test_other_codes_deaths_and_hangs_are_faults(self) -> None:
        for status in (70, 1, 127, -9, -6, 139, 143, None):
            self.assertTrue(ending.faults_of_status(status, {0, 74}), status)


class MessageTests(unittest.TestCase):
    def faults(self, text: str) -> list[str]:
        return ending.faults_of_message(text, FOLDER, None)

    def test_one_line_and_a_hint(self) -> None:
        self.assertEqual(self.faults(GOOD), [])
        self.assertEqual(self.faults("the report of what was done\n\n" + GOOD), [])

    def test_anything_else_is_a_fault(self) -> None:
        for text in ("", "Fatal error\n", GOOD + GOOD, GOOD.splitlines()[0] + "\n", GOOD + "more\n",
                     GOOD.replace("Library/Preferences/com.example.birdlog.plist", "it"),
                     GOOD.replace("com.example", ".godwit-tmp-1"), GOOD.replace("write", "wr\x1b[2Jite"),
                     GOOD.replace("Free some space and go on.", "")):
            self.assertTrue(self.faults(text), text)


    def test_reports_differ_by_what_they_say_alone(self) -> None:
        first = ending.text_of("Done in 198 ms. /box/c: 4 of 5", FOLDER)
        self.assertEqual(first, ending.text_of("Done in 1.2 s. /box/c: 4 of 5", FOLDER))
        self.assertNotEqual(first, ending.text_of("Done in 198 ms. /box/c: none", FOLDER))
        self.assertEqual(first, ending.text_of("Done in 1 s.\n  /box/c: 4 of 5", FOLDER))


class ModeTests(unittest.TestCase):
    def test_codes_that_tell_the_error(self) -> None:
        self.assertEqual(errors.Mode("ENOSPC", False).allowed("pwrite64", ""), {0, 74})
        self.assertEqual(errors.Mode("EROFS", True).allowed("mkdir", ""), {0, 77})
        self.assertEqual(errors.Mode("EINTR", True).allowed("pwrite64", ""), {0})
        self.assertNotIn(66, errors.Mode("EIO", True).allowed("openat", "/box/a.store"))

    def test_leftovers_are_forgiven_only_where_removing_fails(self) -> None:
        self.assertTrue(errors.Mode("EIO", False).forgives_leftovers("unlink"))
        self.assertFalse(errors.Mode("EIO", True).forgives_leftovers("pwrite64"))
        self.assertFalse(errors.Mode("EIO", False).forgives_leftovers("openat"))

    def test_a_link_is_forgiven_where_there_can_be_none(self) -> None:
        self.assertTrue(errors.Mode("EROFS", True).forgives_missing_link("symlink", "a.json"))
        self.assertTrue(errors.Mode("EACCES", True).forgives_missing_link("renameat2", "/k/.godwit-link-1"))
        self.assertFalse(errors.Mode("EACCES", True).forgives_missing_link("renameat2", "/k/.godwit-out-1"))
        self.assertFalse(errors.Mode("EIO", True).forgives_missing_link("symlink", "a.json"))

    def test_each_call_gets_its_turn(self) -> None:
        found = {"pwrite64": list(range(1, 400)), "rename": [3], "mkdir": [1, 2]}
        points = errors.spread(found, 9, random.Random(1))
        self.assertEqual(len(points), 9)
        self.assertEqual(sum(point.call == "rename" for point in points), 1)
        self.assertEqual(sum(point.call == "mkdir" for point in points), 2)
        self.assertEqual(len(set(points)), 9)

    def test_the_path_of_the_failing_call(self) -> None:
        log = '7 openat(AT_FDCWD, "/a/b", O_RDONLY) = 3\n7 openat(AT_FDCWD, "/a/c d", O_RDWR) = -1 EIO (x) (INJECTED)\n'
        self.assertEqual(errors.failed_path(log), "/a/c d")
        self.assertEqual(errors.failed_path("7 fsync(3) = -1 EIO (x) (INJECTED)\n"), "")
        self.assertEqual(errors.failed_path('7 write(1, ""..., 9) = -1 EIO (x) (INJECTED)\n'), "1")
        self.assertEqual(errors.failed_path('7 write(1</dev/null>, ""..., 9) = -1 EIO (x) (INJECTED)\n'), "1")
        self.assertEqual(errors.failed_path('7 pwrite64(9</a/c.store-shm>, ""..., 1, 4095) = -1 EIO (x) (INJECTED)\n'),
                         "/a/c.store-shm")
        self.assertIn(ending.IO, errors.Mode("EROFS", True).allowed("pwrite64", "/a/c.store-shm"))
        later = '7 pwrite64(4</a/c.store>, "") = -1 EROFS (INJECTED)\n7 pwrite64(9</a/c.store-shm>, "") = -1 EROFS (INJECTED)'
        self.assertEqual(errors.FAILED_INDEX.findall(later), ["/a/c.store-shm"])
        self.assertNotIn(ending.IO, errors.Mode("EROFS", True).allowed("pwrite64", "/a/c.store-wal"))


class FlushTests(unittest.TestCase):
    FAILED = f"7 fdatasync(5<{STORE}>) = -1 EIO (Input/output error) (INJECTED)"
    AGAIN = f"7 fdatasync(5<{STORE}>) = 0"

    @staticmethod
    def write(place: int) -> str:
        return f'7 pwrite64(5<{STORE}>, ""..., 512, {place}) = 512'

    def test_a_second_flush_of_the_same_bytes_is_a_fault(self) -> None:
        lines = [self.write(0), self.write(512), self.FAILED, self.AGAIN]
        self.assertTrue(flushing.faults_of_second_flush(lines, 2, "5"))
        lines = [self.write(0), self.write(512), self.FAILED, self.write(512), self.AGAIN]
        self.assertTrue(flushing.faults_of_second_flush(lines, 2, "5"))

    def test_a_rollback_writes_all_of_them_anew(self) -> None:
        lines = [self.write(0), self.write(512), self.FAILED, self.write(512), self.write(0), self.AGAIN]
        self.assertEqual(flushing.faults_of_second_flush(lines, 2, "5"), [])
        cut = f"7 ftruncate(5<{STORE}>, 512) = 0"
        lines = [self.write(0), self.write(512), self.FAILED, self.write(0), cut, self.AGAIN]
        self.assertEqual(flushing.faults_of_second_flush(lines, 2, "5"), [])

    def test_what_was_flushed_before_is_not_lost(self) -> None:
        lines = [self.write(0), self.AGAIN, self.write(512), self.FAILED, self.write(512), self.AGAIN]
        self.assertEqual(flushing.faults_of_second_flush(lines, 3, "5"), [])

    def test_another_file_of_the_same_number_is_another_file(self) -> None:
        lines = [self.write(0), self.FAILED, f"7 close(5<{STORE}>) = 0", self.AGAIN]
        self.assertEqual(flushing.faults_of_second_flush(lines, 1, "5"), [])

    def test_a_flush_matters_where_something_was_written(self) -> None:
        lines = [self.write(0), self.FAILED]
        self.assertEqual(flushing.why_harmless(FOLDER, lines, 1, 74), "")
        lines = [self.write(0), self.AGAIN, self.FAILED]
        self.assertTrue(flushing.why_harmless(FOLDER, lines, 2, 0))
        plain = f'7 write(5<{STORE}>, ""..., 9) = 9'
        self.assertEqual(flushing.why_harmless(FOLDER, [plain, self.FAILED], 1, 74), "")

    def test_a_folder_that_is_never_flushed_again_matters(self) -> None:
        failed, again = "7 fsync(6</>) = -1 EIO (x) (INJECTED)", "7 fsync(7</>) = 0"
        self.assertEqual(flushing.why_harmless(FOLDER, [again, failed], 1, 0), "")
        self.assertTrue(flushing.why_harmless(FOLDER, [failed, again], 0, 0))

    def test_names_given_after_a_failure(self) -> None:
        rename = f'7 rename("/box/c/.godwit-tmp-1", "{PREFERENCES}") = 0'
        self.assertTrue(flushing.faults_of_names(STORE, [self.FAILED, rename], PREFERENCES))
        self.assertTrue(flushing.faults_of_names("/box/c/.godwit-tmp-1", [self.FAILED, rename], "/other"))
        self.assertEqual(flushing.faults_of_names(STORE, [self.FAILED, rename], "/other"), [])
        refused = rename.replace("= 0", "= -1 EIO (x)")
        self.assertEqual(flushing.faults_of_names(STORE, [self.FAILED, refused], PREFERENCES), [])

    def test_the_flag_wants_the_store_flushed_in_the_same_run(self) -> None:
        folder = str(Path(STORE).parent)
        rename = f'7 rename("/box/c/.godwit-tmp-1", "{PREFERENCES}") = 0\n'
        store, names = f"7 fsync(3<{STORE}>) = 0\n", f"7 fsync(3<{folder}>) = 0\n"
        self.assertEqual(flushing.faults_of_flag(store + names + rename, FOLDER), [])
        self.assertEqual(flushing.faults_of_flag(store, FOLDER), [])
        for log in (rename, store + rename, names + rename, rename + store + names):
            self.assertTrue(flushing.faults_of_flag(log, FOLDER))
        made = f'7 fdatasync(3<{folder}/.godwit-tmp-2>) = 0\n'
        named = f'7 renameat2(AT_FDCWD, "{folder}/.godwit-tmp-2", AT_FDCWD, "{STORE}", 1) = 0\n'
        self.assertEqual(flushing.faults_of_flag(made + named + names + rename, FOLDER), [])


class TimeTests(unittest.TestCase):
    def test_from_the_signal_to_the_end(self) -> None:
        log = ("7 100.5 write(3, \"\"..., 5) = 5\n7 100.75 --- SIGTERM {si_signo=SIGTERM} ---\n"
               "7 102.25 exit_group(143) = ?\n")
        self.assertEqual(signals.seconds_to_end(log), 1.5)
        self.assertEqual(signals.seconds_to_end("7 100.5 exit_group(0) = ?\n"), 0.0)

    def test_calls_before_the_handlers_are_left_out(self) -> None:
        log = ("7 read(3) = 1\n7 read(3) = 1\n7 close(3) = 0\n7 rt_sigaction(SIGHUP, {}, NULL, 8) = 0\n"
               "8 read(4) = 1\n7 read(3) = 1\n8 read(4) = 1\n8 close(4) = 0\n7 close(3) = 0\n")
        self.assertEqual([str(point) for point in signals.points_when_ready(log)], ["read 3", "close 2"])
        self.assertEqual(signals.points_when_ready("7 read(3) = 1\n"), [])

    def test_calls_that_another_thread_interrupted_are_put_together(self) -> None:
        log = ["7 fsync(5</a> <unfinished ...>", "8 close(4) = 0", "7 <... fsync resumed>)   = -1 EIO (Input) (INJECTED)",
               "8 100.5 read(4 <unfinished ...>", "8 100.7 <... read resumed>) = 0", "7 futex( <unfinished ...>"]
        self.assertEqual(list(tracing.joined(log)), [
            "8 close(4) = 0", "7 fsync(5</a>)   = -1 EIO (Input) (INJECTED)", "8 100.5 read(4) = 0", "7 futex("])
        self.assertIsNotNone(flushing.FLUSH.match(list(tracing.joined(log))[1]))

    def test_the_lines_of_a_recording_are_read(self) -> None:
        self.assertIsNotNone(tracing.LINE.match('7  fsync(5</a>) = 0'))


if __name__ == "__main__":
    unittest.main()
