"""A clone of the repository with all faults in its sources, and a file that says which of them is on."""

from __future__ import annotations

import os
import re
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

from .faults import FAULTS

#: A run of tests that takes longer than this hangs, which counts as caught. In seconds.
LONGEST = 900
FAILED = re.compile(r"✘ Test (.*?) (?:recorded an issue|failed)|(Fatal error: .*)")
SWITCH = '''#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

private let chosenFault: Int32 = {
    guard let file = fopen("NUMBER_FILE", "r") else { return 0 }
    defer { fclose(file) }
    var digits = [CChar](repeating: 0, count: 16)
    return fgets(&digits, 15, file) == nil ? 0 : atoi(digits)
}()

func isFaultSwitchedOn(_ number: Int32) -> Bool { chosenFault == number }
'''


class FaultyClone:
    """The clone at a folder; the file with the number has its name and `.fault`, so that every process of the tests finds it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder.resolve()
        self.number_file = Path(f"{self.folder}.fault")
        #: The target of each fault that was applied.
        self.targets: dict[int, str] = {}

    def prepare(self, commit: str, numbers: list[int]) -> None:
        """Clones the commit, applies the faults that its sources have a place for, and builds."""
        if not self.folder.exists():
            subprocess.run(["git", "clone", "-q", ".", str(self.folder)], check=True)
        revision = subprocess.run(["git", "rev-parse", commit], check=True, capture_output=True, text=True).stdout.strip()
        self.run_quietly("git", "fetch", "-q", "origin")
        self.run_quietly("git", "checkout", "-q", "--force", revision)
        sources = self.folder / "Sources"
        for number in numbers:
            fault = FAULTS[number - 1]
            if (path := fault.located(sources)) is None:
                continue
            path.write_text(fault.applied(path.read_text(), number))
            self.targets[number] = path.relative_to(sources).parts[0]
            switch = SWITCH.replace("NUMBER_FILE", str(self.number_file))
            (sources / self.targets[number] / "FaultSwitch.swift").write_text(switch)
        self.number_file.write_text("0\n")
        self.run_quietly("swift", "build", "-c", "release", "--build-tests")

    def run_quietly(self, *command: str) -> None:
        done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, check=False)
        if done.returncode:
            errors = [line for line in (done.stdout + done.stderr).splitlines() if "error:" in line]
            print("\n".join(dict.fromkeys(errors)) or done.stderr[-2000:])
            done.check_returncode()

    def first_failure(self, number: int) -> str | None:
        """The first test that fails with this fault on: those of its target first, then all others. None if none does."""
        target = self.targets.get(number)
        self.number_file.write_text(f"{number}\n")
        own = rf"^{target}Tests\."
        selections = [[]] if target is None else [["--filter", own], ["--skip", own]]
        return next((failure for options in selections for failure in self.failures(options)), None)

    def failures(self, options: list[str]) -> Iterator[str]:
        """Runs tests until one fails."""
        # Tests that scan the sources for forbidden words or long files may speak of the switches themselves.
        command = ["timeout", str(LONGEST), "swift", "test", "-c", "release", "--skip-build", *options,
                   "--skip", "SafetyScanTests"]
        environment = os.environ | {"GODWIT_GENERATED": "few"}
        with subprocess.Popen(
            command, cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
            env=environment, start_new_session=True,
        ) as running:
            try:
                for line in running.stdout or []:
                    if found := FAILED.search(line):
                        yield found[1] or found[2]
                if running.wait():
                    yield f"exit status {running.returncode}"
            finally:
                if running.poll() is None:
                    os.killpg(running.pid, signal.SIGKILL)
