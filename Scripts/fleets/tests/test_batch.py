"""Slurm's scripts, run by bash as slurmd would, with commands in the place of godwit, squeue and scontrol."""

from __future__ import annotations

import os
import signal
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

from ..containers import ROOT

DEPLOY = ROOT / "Deploy" / "slurm"
RUN = ("run", "--all", "back ups", "-m", "godwit.yaml")
#: Writes down its words, one a line, and its TMPDIR; then does what CODE says.
GODWIT = """#!/bin/bash
printf '%s\\n' "$@" > "$OUT/words"
echo "$TMPDIR" > "$OUT/scratch"
touch "$TMPDIR/private copy"
eval "${CODE:-exit 0}"
"""
#: Goes on until SIGTERM, and ends as godwit does.
UNTIL_TERM = """trap 'echo t >> "$OUT/terms"; sleep 0.2; exit 143' TERM
touch "$OUT/ready"
while :; do sleep 0.05; done"""
SQUEUE = '#!/bin/bash\necho "$*" > "$OUT/asked"\necho "${STATE:-RUNNING}"\n'
SCONTROL = '#!/bin/bash\necho "$*" > "$OUT/requeued"\nexit "${REFUSAL:-0}"\n'


class BatchTests(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory(prefix="a batch ")))
        self.out = self.folder / "out"
        self.out.mkdir()
        (self.folder / "bin").mkdir()
        for name, text in (("godwit", GODWIT), ("squeue", SQUEUE), ("scontrol", SCONTROL)):
            path = self.folder / "bin" / name
            path.write_text(text)
            path.chmod(0o755)
        (self.folder / "node").mkdir()

    def environment(
        self, task: int | None = 3, first: int = 1, last: int = 8, count: int = 8, **more: str
    ) -> dict[str, str]:
        array = {} if task is None else {
            "SLURM_ARRAY_JOB_ID": "70", "SLURM_ARRAY_TASK_ID": str(task), "SLURM_ARRAY_TASK_MIN": str(first),
            "SLURM_ARRAY_TASK_MAX": str(last), "SLURM_ARRAY_TASK_COUNT": str(count), "SLURM_ARRAY_TASK_STEP": "1",
        }
        return {
            "PATH": f"{self.folder}/bin:{os.environ['PATH']}", "OUT": str(self.out), "SLURM_JOB_ID": "73",
            "TMPDIR": str(self.folder / "node"), "SLURM_CPUS_PER_TASK": "4",
        } | array | more

    def run_script(self, *words: str, script: str = "godwit-fleet", **variables: str | int | None) -> tuple[int, str]:
        done = subprocess.run(
            ["bash", DEPLOY / f"{script}.sbatch", *words], cwd=self.folder, env=self.environment(**variables),
            capture_output=True, text=True, timeout=60, check=False)
        return done.returncode, done.stderr

    def words(self) -> list[str]:
        return (self.out / "words").read_text().splitlines()

    def shard(self) -> str:
        return self.words()[self.words().index("--shard") + 1]


class ShardTests(BatchTests):
    def test_words_are_handed_on_and_three_are_added(self) -> None:
        self.assertEqual(self.run_script(*RUN, "--strict"), (0, ""))
        self.assertEqual(self.words(), [
            *RUN, "--strict", "--shard", "3/8", "--journal", "godwit-journals/shard-3-of-8.jsonl", "--jobs", "4"])
        self.assertTrue((self.folder / "godwit-journals").is_dir())

    def test_arrays_that_begin_at_0_or_at_1_or_are_none(self) -> None:
        for task, first, last, count, shard in (
            (0, 0, 7, 8, "1/8"), (7, 0, 7, 8, "8/8"), (8, 1, 8, 8, "8/8"), (1, 1, 1, 1, "1/1"),
        ):
            journals = f"j {task} {first} {count}"
            code, said = self.run_script(*RUN, task=task, first=first, last=last, count=count, GODWIT_JOURNALS=journals)
            self.assertEqual((code, self.shard()), (0, shard), said)
        self.assertEqual(self.run_script(*RUN, task=None, GODWIT_JOURNALS="none"), (0, ""))
        self.assertEqual(self.shard(), "1/1")

    def test_an_array_with_steps(self) -> None:
        code, said = self.run_script(*RUN, task=10, first=0, last=15, count=4, SLURM_ARRAY_TASK_STEP="5")
        self.assertEqual((code, self.shard()), (0, "3/4"), said)

    def test_some_tasks_again_need_the_number_of_shards(self) -> None:
        for task, first, last, count in ((3, 3, 3, 1), (5, 3, 5, 2), (1, 1, 5, 2)):
            code, said = self.run_script(*RUN, task=task, first=first, last=last, count=count)
            self.assertEqual(code, 64)
            self.assertIn("GODWIT_SHARDS=8 sbatch", said)
            code, said = self.run_script(*RUN, task=task, first=first, last=last, count=count, GODWIT_SHARDS="8")
            self.assertEqual((code, self.shard()), (0, f"{task}/8"), said)
        self.assertEqual(self.run_script(*RUN, task=0, GODWIT_SHARDS="8", GODWIT_FIRST_TASK="0")[0], 0)
        self.assertEqual(self.shard(), "1/8")

    def test_the_first_task_again_is_not_taken_for_the_whole_fleet(self) -> None:
        self.run_script(*RUN)
        (self.folder / "godwit-journals" / "shard-3-of-8.jsonl").touch()
        code, said = self.run_script(*RUN, task=1, first=1, last=1, count=1)
        self.assertEqual(code, 65)
        self.assertIn("GODWIT_SHARDS", said)

    def test_shards_that_there_are_not(self) -> None:
        for shards, first in (("2", "1"), ("8", "4"), ("x", "1"), ("08", "1"), ("-8", "1"), ("8", "one")):
            self.assertEqual(self.run_script(*RUN, GODWIT_SHARDS=shards, GODWIT_FIRST_TASK=first)[0], 64, shards)

    def test_what_it_sets_itself_and_no_command_at_all(self) -> None:
        for words in ((*RUN, "--shard", "1/2"), (*RUN, "--journal=x"), (*RUN, "--jobs", "2"), ()):
            self.assertEqual(self.run_script(*words)[0], 64, words)
        self.assertEqual(self.run_script(*RUN, SLURM_JOB_ID="")[0], 64)
        self.assertFalse((self.out / "words").exists())


class EndingTests(BatchTests):
    def test_exit_codes_are_passed_on(self) -> None:
        for code in (0, 1, 3, 65, 75, 127, 137, 143):
            self.assertEqual(self.run_script(*RUN, CODE=f"exit {code}")[0], code)
        self.assertEqual(self.run_script(*RUN, GODWIT="nowhere")[0], 127)
        self.assertFalse((self.out / "requeued").exists())

    def test_the_nodes_own_disk_is_used_and_left_clean(self) -> None:
        self.run_script(*RUN)
        scratch = Path((self.out / "scratch").read_text().strip())
        self.assertEqual(scratch.parent, self.folder / "node")
        self.assertFalse(scratch.exists())
        self.assertTrue((self.folder / "node").is_dir())

    def test_a_folder_for_scratch_that_is_not_on_this_node(self) -> None:
        self.assertEqual(self.run_script(*RUN, TMPDIR=str(self.folder / "elsewhere"))[0], 0)
        self.assertEqual(Path((self.out / "scratch").read_text().strip()).parent, Path("/tmp"))
        self.run_script(*RUN, TMPDIR="/nowhere", SLURM_TMPDIR=str(self.folder / "node"))
        self.assertEqual(Path((self.out / "scratch").read_text().strip()).parent, self.folder / "node")

    def terminated(self, **variables: str) -> tuple[int, str]:
        """Sends SIGTERM to the script only, when godwit is at work."""
        process = subprocess.Popen(
            ["bash", DEPLOY / "godwit-fleet.sbatch", *RUN], cwd=self.folder,
            env=self.environment(**({"CODE": UNTIL_TERM} | variables)), stderr=subprocess.PIPE, text=True)
        end = time.monotonic() + 30
        while not (self.out / "ready").exists() and time.monotonic() < end:
            time.sleep(0.02)
        process.send_signal(signal.SIGTERM)
        said = process.communicate(timeout=30)[1]
        (self.out / "ready").unlink()
        return process.returncode, said

    def test_the_time_limit_is_handed_on_and_the_task_requeued(self) -> None:
        code, said = self.terminated()
        self.assertEqual((code, (self.out / "terms").read_text()), (143, "t\n"), said)
        self.assertEqual((self.out / "asked").read_text(), "-h -j 70_3 -o %T\n")
        self.assertEqual((self.out / "requeued").read_text(), "requeue 70_3\n")
        self.assertEqual(list((self.folder / "node").iterdir()), [])

    def test_a_task_that_is_cancelled_is_not_requeued(self) -> None:
        self.assertEqual(self.terminated(STATE="COMPLETING")[0], 143)
        self.assertFalse((self.out / "requeued").exists())

    def test_not_for_ever_and_not_where_slurm_refuses(self) -> None:
        code, said = self.terminated(SLURM_RESTART_COUNT="10")
        self.assertEqual((code, (self.out / "requeued").exists()), (143, False), said)
        self.assertIn("not requeued again", said)
        self.assertEqual(self.terminated(GODWIT_REQUEUES="0")[0], 143)
        self.assertFalse((self.out / "requeued").exists())
        code, said = self.terminated(REFUSAL="1")
        self.assertEqual(code, 143)
        self.assertIn("can't be requeued", said)

    def test_requeuing_ends_the_task_and_is_no_failure_of_it(self) -> None:
        path = self.folder / "bin" / "scontrol"
        path.write_text(SCONTROL.replace("echo", "kill -TERM $$ $PPID; echo", 1))
        code, said = self.terminated()
        self.assertEqual((code, (self.out / "requeued").exists()), (143, True), said)
        self.assertIn("and requeued; it goes on", said)

    def test_one_that_had_done_all_when_the_signal_came(self) -> None:
        for code in (0, 1, 3):
            ending = UNTIL_TERM.replace("exit 143", f"exit {code}")
            self.assertEqual(self.terminated(CODE=ending)[0], code)
        self.assertFalse((self.out / "requeued").exists())


class MergeTests(BatchTests):
    def test_all_journals_of_the_folder(self) -> None:
        for journals in ("godwit-journals", "-j 8", str(self.folder / "whole path")):
            (self.folder / journals).mkdir()
            for name in ("shard-1-of-2.jsonl", "shard-2-of-2.jsonl", "notes.txt"):
                (self.folder / journals / name).touch()
            code, said = self.run_script("--json", "-o", "a b.json", script="godwit-merge", GODWIT_JOURNALS=journals)
            self.assertEqual(code, 0, said)
            *head, one, two = self.words()
            self.assertEqual(head, ["merge-reports", "--json", "-o", "a b.json"])
            self.assertEqual([Path(one).name, Path(two).name], ["shard-1-of-2.jsonl", "shard-2-of-2.jsonl"])
            self.assertTrue((self.folder / one).samefile(self.folder / journals / "shard-1-of-2.jsonl"))
            self.assertFalse(one.startswith("-"))

    def test_no_journals_and_exit_codes(self) -> None:
        self.assertEqual(self.run_script(script="godwit-merge")[0], 66)
        (self.folder / "godwit-journals").mkdir()
        (self.folder / "godwit-journals" / "shard-1-of-1.jsonl").touch()
        for code in (0, 1, 3, 65):
            self.assertEqual(self.run_script(script="godwit-merge", CODE=f"exit {code}")[0], code)
