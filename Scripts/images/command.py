"""The command: make pictures, or check that those in docs/images fit what they show."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path
from typing import Sequence

from . import drawing, report, terminal

REPOSITORY = Path(__file__).resolve().parents[2]
FOLDER = "docs/images"
APP = "trainlog"
OPTIONS = ["-m", f"SampleData/{APP}/godwit.yaml", "-c", "App"]
#: By name of the picture: the command that it shows. All run on one copy of the sample, in this order.
COMMANDS = {"plan": ["godwit", "plan", *OPTIONS], "run": ["godwit", "run", *OPTIONS, "--backup", "backups"]}


def main(arguments: Sequence[str], repository: Path = REPOSITORY) -> int:
    """Runs the command and returns its exit status: 0, or 1 if a picture is wrong or cannot be made."""
    parser = argparse.ArgumentParser(prog="pictures", description="Make the pictures of README.md and docs.")
    parser.add_argument("--check", action="store_true", help="compare only; exit 1 on any difference")
    parser.add_argument("--report", action="store_true", help="make the picture of the HTML report, with Chromium")
    parser.add_argument("--binary", type=Path, help="the godwit whose output the pictures of the terminal show")
    options = parser.parse_args(arguments)
    if not (options.check or options.report or options.binary):
        parser.error("nothing to do: add --binary FILE, --report or --check")
    if options.check and options.report:
        parser.error("--check and --report cannot be combined")
    if options.binary and not os.access(options.binary, os.X_OK):
        parser.error(f"{options.binary} is not a program")
    try:
        wanted = terminal_pictures(options.binary, repository / FOLDER) if options.binary else {}
    except subprocess.CalledProcessError as error:
        print(f"pictures: {' '.join(error.cmd)} ends with {error.returncode}:\n{error.output}", file=sys.stderr)
        return 1
    if options.check:
        return check(wanted, repository)
    for name, picture in wanted.items():
        write(repository / FOLDER / name, picture)
    if options.report:
        program = report.chromium()
        if not program:
            print("pictures: Chromium is not installed (Debian: chromium)", file=sys.stderr)
            return 1
        try:
            report.make(program, repository)
        except OSError as error:
            print(f"pictures: {error}", file=sys.stderr)
            return 1
        print(f"pictures: {', '.join(report.PICTURES.values())} made from {report.PAGE}")
    return 0


def terminal_pictures(binary: Path, folder: Path) -> dict[str, str]:
    """By file name: each picture of the terminal, with the times of the picture that is in the folder."""
    pictures = {}
    for name, printed in terminal.session(binary, APP, COMMANDS).items():
        for scheme in drawing.SCHEMES:
            file = f"{name}-{scheme}.svg"
            # Both schemes show the same times.
            kept = folder / f"{name}-light.svg"
            shown = drawing.shown(kept.read_text(encoding="utf-8")) if kept.is_file() else ""
            command = " ".join(COMMANDS[name])
            output = f"\x1b[2m$\x1b[0m {command}\n" + terminal.with_times_of(printed, shown)
            pictures[file] = drawing.terminal(output, f"Output of: {command}", scheme)
    return pictures


def check(wanted: dict[str, str], repository: Path) -> int:
    """Prints what is wrong with the pictures and returns the exit status."""
    problems = list(report.problems(repository))
    if problems:
        problems.append("run Scripts/pictures --report, look at the pictures, and commit them")
    wrong = [name for name, picture in wanted.items() if not is_same(repository / FOLDER / name, picture)]
    problems += [f"{FOLDER}/{name}: not what the command prints today" for name in wrong]
    if wrong:
        problems.append("run Scripts/pictures --binary FILE and commit them")
    for problem in problems:
        print(f"pictures: {problem}", file=sys.stderr)
    if not problems:
        print(f"pictures: {len(wanted) + len(report.PICTURES)} pictures are right")
    return 1 if problems else 0


def is_same(path: Path, picture: str) -> bool:
    """Whether a file has this picture."""
    return path.is_file() and path.read_text(encoding="utf-8") == picture


def write(path: Path, picture: str) -> None:
    """Writes a picture unless the file has it."""
    if not is_same(path, picture):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(picture, encoding="utf-8")
        print(f"pictures: {path.name} written")
