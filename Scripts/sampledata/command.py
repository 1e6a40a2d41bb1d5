"""The command: make the files in a scratch folder, compare, then write or report."""

import argparse
import os
import sys
import tempfile
from pathlib import Path
from typing import Dict, List, Sequence

from .apps import APPS
from .sample import Sample

REPOSITORY = Path(__file__).resolve().parents[2]
MADE = ("container", "container-swiftdata", "scenarios")  # the folders of an app in which every file is made


def main(arguments: Sequence[str], repository: Path = REPOSITORY) -> int:
    """Runs the command and returns its exit status: 0, or 1 if `--check` found a difference or a source is wrong."""
    parser = argparse.ArgumentParser(prog="samples", description="Make the sample containers from their sources.")
    parser.add_argument("--check", action="store_true", help="compare only; exit 1 on any difference")
    parser.add_argument("app", nargs="*", help=f"sample apps (default: all of {', '.join(sorted(APPS))})")
    options = parser.parse_args(arguments)
    unknown = [app for app in options.app if app not in APPS]
    if unknown:
        parser.error(f"no sample app is called {unknown[0]}; there are {', '.join(sorted(APPS))}")
    files = 0
    problems: List[str] = []
    for app in options.app or sorted(APPS):
        try:
            wanted = made_files(app, repository)
        except (OSError, ValueError) as error:
            print(f"samples: {error}", file=sys.stderr)
            return 1
        folder = repository / "SampleData" / app
        present = present_files(folder)
        files += len(wanted)
        problems += [f"{app}/{line}" for line in differences(wanted, present)]
        if not options.check:
            write(folder, wanted, present)
    return report(options.check, files, problems)


def report(check: bool, files: int, problems: Sequence[str]) -> int:
    """Prints the outcome and returns the exit status."""
    for problem in problems:
        print(f"samples: {problem}")
    if check:
        if problems:
            print("samples: run Scripts/samples to write them; extra files are yours to remove")
            return 1
        print(f"samples: {files} files identical")
    else:
        written = sum(not problem.endswith(EXTRA) for problem in problems)
        print(f"samples: {written} files written, {files - written} already right")
    return 0


EXTRA = "extra: no source makes it, not changed"


def differences(wanted: Dict[str, bytes], present: Dict[str, bytes]) -> List[str]:
    """One line for each file that is missing, differs or is there although no source makes it."""
    lines = []
    for path in sorted(wanted.keys() | present.keys()):
        if path not in present:
            lines.append(f"{path}: missing")
        elif path not in wanted:
            lines.append(f"{path}: {EXTRA}")
        elif wanted[path] != present[path]:
            lines.append(f"{path}: differs {_first_difference(wanted[path], present[path])}")
    return lines


def _first_difference(wanted: bytes, present: bytes) -> str:
    for at, (one, other) in enumerate(zip(wanted, present)):
        if one != other:
            return f"at byte {at} of {len(wanted)}"
    return f"in size: {len(wanted)} bytes made, {len(present)} found"


def made_files(app: str, repository: Path) -> Dict[str, bytes]:
    """What the sources of an app make: path within the app's folder, and bytes."""
    with tempfile.TemporaryDirectory(prefix="godwit-samples-") as scratch:
        output = Path(scratch)
        sources = repository / "SampleData" / app / "source"
        sample = Sample(app, sources, repository / "Migrations" / app, output)
        APPS[app](sample)
        sample.check_names()
        return present_files(output)


def present_files(folder: Path) -> Dict[str, bytes]:
    """The regular files below the folders in which every file is made."""
    found = {}
    for top in MADE:
        for directory, _, names in os.walk(folder / top):
            for name in names:
                path = Path(directory, name)
                if path.is_file():
                    found[path.relative_to(folder).as_posix()] = path.read_bytes()
    return found


def write(folder: Path, wanted: Dict[str, bytes], present: Dict[str, bytes]) -> None:
    """Writes what is missing or differs. A file that is right keeps its modification time, which Godwit looks at."""
    for path, content in wanted.items():
        if present.get(path) == content:
            continue
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        unfinished = place.with_name(f".{place.name}.unfinished")
        unfinished.write_bytes(content)
        os.replace(unfinished, place)
