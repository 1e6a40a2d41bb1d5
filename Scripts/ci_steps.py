"""The steps of docs/ci, run by hand: what Scripts/check-ci runs.

The files are read by their indentation: Python has no reader of YAML, and a block of lines behind `run: |` or `- |` is
all that is asked for.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SAMPLE = ROOT / "SampleData" / "trainlog"
LEFT_OUT = ("git clone", "GITHUB_PATH")
"""Steps that fetch and build Godwit."""


def blocks(path: Path) -> list[str]:
    """The scripts of a workflow: each block of lines behind a bar, its indentation taken away."""
    found, lines = [], path.read_text(encoding="utf-8").splitlines()
    for number, line in enumerate(lines):
        if not re.search(r"(run:|-) \|$", line):
            continue
        body: list[str] = []
        indent = len(lines[number + 1]) - len(lines[number + 1].lstrip())
        for inside in lines[number + 1:]:
            if inside.strip() and len(inside) - len(inside.lstrip()) < indent:
                break
            body.append(inside[indent:])
        found.append("\n".join(body))
    return [block for block in found if not any(word in block for word in LEFT_OUT)]


def hook() -> str:
    """What pre-commit would run."""
    text = (ROOT / "docs" / "ci" / "pre-commit-config.yaml").read_text(encoding="utf-8")
    entry = re.search(r"entry: (.*)", text)
    pattern = re.search(r"files: (.*)", text)
    assert entry and pattern
    for name, wanted in (("godwit.yaml", True), ("Migrations/V0001__a.sql", True), ("README.md", False)):
        assert bool(re.search(pattern[1], name)) == wanted, name
    return entry[1]


class Repository:
    """A checkout of an app that uses Godwit."""

    def __init__(self, folder: str, binary: str) -> None:
        self.folder = Path(folder)
        manifest = (SAMPLE / "godwit.yaml").read_text(encoding="utf-8")
        (self.folder / "godwit.yaml").write_text(
            manifest.replace("../../Migrations/trainlog", "Migrations"), encoding="utf-8")
        shutil.copytree(ROOT / "Migrations" / "trainlog", self.folder / "Migrations")
        shutil.copytree(SAMPLE / "container", self.folder / "Fixtures" / "first-launch")
        shutil.copytree(SAMPLE / "scenarios" / "two-devices" / "container", self.folder / "Fixtures" / "two-devices")
        (self.folder / "bin").mkdir()
        (self.folder / "bin" / "godwit").symlink_to(binary)

    def run(self, script: str) -> subprocess.CompletedProcess[str]:
        """Runs a step as the system would."""
        (self.folder / "summary.md").write_text("", encoding="utf-8")
        shutil.rmtree(self.folder / "reports", ignore_errors=True)
        environment = {
            "PATH": f"{self.folder}/bin:{os.environ['PATH']}", "HOME": str(self.folder), "GODWIT_MANIFEST": "godwit.yaml",
            "GITHUB_WORKSPACE": str(self.folder), "GITHUB_STEP_SUMMARY": str(self.folder / "summary.md"),
        }
        return subprocess.run(
            ["bash", "-eo", "pipefail", "-c", script], cwd=self.folder, env=environment, capture_output=True, text=True,
            check=False)


def expect(holds: bool, what: str, done: subprocess.CompletedProcess[str]) -> None:
    """Ends where something does not hold."""
    if not holds:
        sys.exit(f"check-ci: {what}\nexit {done.returncode}\n{done.stdout}\n{done.stderr}")


def check(repository: Repository, name: str, script: str) -> None:
    """A step passes on good containers, and fails and says where on a broken schema file."""
    done = repository.run(script)
    expect(done.returncode == 0, f"{name} failed on good containers", done)
    folder = repository.folder
    if "reports" in script:
        found = sorted(path.name for path in (folder / "reports").iterdir())
        expect(found == ["first-launch.html", "first-launch.xml", "two-devices.html", "two-devices.xml"], f"{found}", done)
    summary = (folder / "summary.md").read_text(encoding="utf-8")
    if "github" in script:
        expect("::notice file=godwit.yaml,line=" in done.stdout, f"{name} has no annotation", done)
        expect(summary.count("## ➡️ godwit plan: TrainLog") == 2, f"{name} has no summary", done)
    broken = folder / "Migrations" / "V0003__broken.sql"
    broken.write_text("CREATE TABLE;", encoding="utf-8")
    done = repository.run(script)
    broken.unlink()
    expect(done.returncode == 65, f"{name} did not fail on a broken schema file", done)
    if "github" in script:
        expect("::error file=Migrations/V0003__broken.sql," in done.stdout, f"{name} does not say where", done)
    if "junit" in script:
        text = (folder / "reports" / "two-devices.xml").read_text(encoding="utf-8")
        expect('<error type="exit 65"' in text, f"{name} has no error for viewers", done)


def main() -> int:
    """Runs the steps of all three."""
    with tempfile.TemporaryDirectory() as folder:
        repository = Repository(folder, sys.argv[1])
        scripts = [("github-actions.yml", script) for script in blocks(ROOT / "docs" / "ci" / "github-actions.yml")]
        scripts += [("gitlab-ci.yml", script) for script in blocks(ROOT / "docs" / "ci" / "gitlab-ci.yml")]
        scripts.append(("pre-commit-config.yaml", hook()))
        assert [name for name, _ in scripts] == ["github-actions.yml", "gitlab-ci.yml", "pre-commit-config.yaml"], scripts
        for name, script in scripts:
            check(repository, name, script)
    print("check-ci: the steps of GitHub Actions, GitLab CI and pre-commit do what they say")
    return 0


if __name__ == "__main__":
    sys.exit(main())
