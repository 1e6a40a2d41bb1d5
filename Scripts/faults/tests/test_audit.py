"""The audit's rules find what they are there to find, in recordings written by hand."""

from __future__ import annotations

import unittest

from ..auditing.recording import Recording
from ..auditing.rules import Audit, Bounds

CONTAINER = "/c"
STORE = "/c/a.store"
SCRATCH = "/t/godwit-scratch-0-01234567-89AB-CDEF-0123-456789ABCDEF"


def findings(lines: list[str], writes: bool = True) -> list[str]:
    bounds = Bounds(
        named=[CONTAINER, "/m.yaml"], temporary="/t", writable=[STORE], replaceable=["/c/a.plist"],
        outputs=["/o/out.json"], writes=writes)
    text = "\n".join(f"7 {line}" for line in ['execve("/b/godwit", [...], 0x0 /* 1 vars */) = 0', *lines])
    return Audit(Recording.read(text, "/"), bounds, "/b/godwit").findings


class AuditTests(unittest.TestCase):
    def assert_found(self, words: str, *lines: str, writes: bool = True) -> None:
        said = findings(list(lines), writes)
        self.assertEqual(len(said), 1, said)
        self.assertIn(words, said[0])

    def assert_clean(self, *lines: str, writes: bool = True) -> None:
        self.assertEqual(findings(list(lines), writes), [])

    def test_how_far_a_run_is_may_be_looked_for_and_written_by_what_writes(self) -> None:
        look = 'openat(AT_FDCWD</>, "/t/godwit-progress-0", O_RDONLY|O_DIRECTORY) = -1 ENOENT (No such file or directory)'
        make = 'mkdir("/t/godwit-progress-0", 0700) = 0'
        self.assert_clean(look, writes=False)
        self.assert_clean(look, make)
        self.assert_found("made", make, writes=False)
        self.assert_found("that is not named was opened", look.replace("/t/", "/elsewhere/"), writes=False)
        self.assert_found("that is not named was opened", look.replace("progress-0", "progress-0/a/b"), writes=False)

    def test_removing_somebodys_file(self) -> None:
        for call in ['unlink("/c/a.store")', 'unlinkat(AT_FDCWD</c>, "notes.txt", 0)', 'rmdir("/c/folder")',
                     'unlinkat(5</c/sub>, "x", 0)', 'unlink("/c/b.store-journal")']:
            self.assert_found("removed", call + " = 0")

    def test_removing_what_it_made(self) -> None:
        self.assert_clean(
            'openat(AT_FDCWD</>, "/c/.godwit-tmp-0123ABCD", O_RDWR|O_CREAT|O_EXCL, 0600) = 5</c/.godwit-tmp-0123ABCD>',
            'unlink("/c/.godwit-tmp-0123ABCD") = 0', 'unlink("/c/a.store-journal") = 0',
            f'mkdir("{SCRATCH}", 0700) = 0', f'openat(AT_FDCWD</>, "{SCRATCH}/x", O_RDWR|O_CREAT) = 5<{SCRATCH}/x>',
            f'unlinkat(5<{SCRATCH}>, "x", 0) = 0', f'rmdir("{SCRATCH}") = 0')

    def test_a_failed_call_removes_nothing(self) -> None:
        self.assert_clean('unlink("/c/a.store") = -1 ENOENT (No such file or directory)')

    def test_truncating(self) -> None:
        self.assert_found("cut off", 'newfstatat(5</c/a.store>, "", {st_mode=S_IFREG|0644, st_size=9000, ...}, 0) = 0',
                          "ftruncate(5</c/a.store>, 4096) = 0")
        self.assert_found("cut off", "ftruncate(5</c/a.store>, 4096) = 0")
        self.assert_clean('newfstatat(5</c/a.store>, "", {st_mode=S_IFREG|0644, st_size=4096, ...}, 0) = 0',
                          'pwrite64(5</c/a.store>, ""..., 4096, 4096) = 4096', "ftruncate(5</c/a.store>, 8192) = 0")
        self.assert_found("truncated", 'openat(AT_FDCWD</>, "/c/a.store", O_RDWR|O_TRUNC) = 5</c/a.store>')
        self.assert_found("changed", 'truncate("/c/a.plist", 0) = 0')

    def test_renaming(self) -> None:
        made = 'openat(AT_FDCWD</c>, ".godwit-tmp-0123ABCD", O_RDWR|O_CREAT|O_EXCL, 0600) = 5</c/.godwit-tmp-0123ABCD>'
        self.assert_clean(made, 'rename("/c/.godwit-tmp-0123ABCD", "/c/a.plist") = 0')
        self.assert_found("replaced", made, 'rename("/c/.godwit-tmp-0123ABCD", "/c/a.store") = 0')
        self.assert_found("did not make", 'rename("/c/b", "/c/a.plist") = 0')
        self.assert_clean(
            made, 'renameat2(AT_FDCWD</>, "/c/.godwit-tmp-0123ABCD", AT_FDCWD</>, "/c/a.store", RENAME_NOREPLACE) = 0')

    def test_sockets_processes_and_programs(self) -> None:
        self.assert_found("socket", "socket(AF_UNIX, SOCK_STREAM|SOCK_CLOEXEC, 0) = 3<socket:[1]>")
        self.assert_found("socket", "socket(AF_INET, SOCK_DGRAM, 0) = -1 EACCES (Permission denied)")
        self.assert_found("process", "clone(child_stack=NULL, flags=CLONE_CHILD_CLEARTID|SIGCHLD) = 9")
        self.assert_found("process", "vfork() = 9")
        self.assert_found("program", 'execve("/bin/sh", ["sh"], 0x0 /* 1 vars */) = 0')
        self.assert_clean("clone3({flags=CLONE_VM|CLONE_FS|CLONE_THREAD|CLONE_SYSVSEM}, 88) = 9")

    def test_a_path_that_the_command_line_does_not_name_is_found(self) -> None:
        self.assert_found("that is not named was opened", 'openat(AT_FDCWD</>, "/etc/passwd", O_RDONLY) = 3</etc/passwd>')
        self.assert_found("that is not named was opened", 'openat(AT_FDCWD</>, "/etc/x", O_RDONLY) = -1 ENOENT (No such file)')
        self.assert_found("that is not named was opened", 'openat(AT_FDCWD</>, "/c/link", O_RDONLY) = 3</home/u/secret>')
        self.assert_clean('openat(AT_FDCWD</>, "/c/a.plist", O_RDONLY) = 3</c/a.plist>',
                          'openat(AT_FDCWD</>, "/lib/x86_64-linux-gnu/libc.so.6", O_RDONLY) = 3</lib/libc.so.6>')

    def test_a_dry_run_writes_only_to_its_scratch(self) -> None:
        self.assert_found("for writing", 'openat(AT_FDCWD</>, "/c/a.store", O_RDWR) = 5</c/a.store>', writes=False)
        self.assert_found("bytes written", 'pwrite64(5</c/a.store>, ""..., 1, 0) = 1', writes=False)
        self.assert_found("removed", 'unlink("/c/a.store-journal") = 0', writes=False)
        self.assert_clean(
            f'mkdir("{SCRATCH}", 0700) = 0', f'openat(AT_FDCWD</>, "{SCRATCH}/a", O_RDWR|O_CREAT) = 5<{SCRATCH}/a>',
            f'write(5<{SCRATCH}/a>, ""..., 9) = 9', 'write(1</dev/pts/0>, ""..., 9) = 9', writes=False)

    def test_calls_that_were_interrupted_are_put_together(self) -> None:
        text = '7 unlink("/c/a.store" <unfinished ...>\n8 getpid() = 8\n7 <... unlink resumed>) = 0'
        calls = Recording.read(text, "/").calls
        self.assertEqual([call.paths for call in calls if call.name == "unlink"], [["/c/a.store"]])

    def test_odd_names_are_read_as_they_are(self) -> None:
        text = '7 openat(AT_FDCWD</w>, "n\\nw \\"q\\" \\303\\251", O_RDONLY) = 3</w/n\\nw \\"q\\" \\303\\251>'
        call = Recording.read(text, "/").calls[0]
        self.assertEqual(call.paths, ['/w/n\nw "q" \u00e9'])
        self.assertEqual(call.opened, '/w/n\nw "q" \u00e9')


if __name__ == "__main__":
    unittest.main()
