"""Runs commands in a terminal of a fixed size and returns what they print, with colors."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import struct
import subprocess
import tempfile
import termios
from pathlib import Path
from typing import Mapping, Sequence

from exports.recipes import DURATION, Kitchen

#: Wide enough that no line with a duration is broken: a longer duration must not move a word.
COLUMNS = 100
#: A duration, and an instant in a name that Godwit gives, such as that of a backup.
LENGTH = DURATION.pattern.removeprefix(r"\b")
INSTANT = r"\d{4}-\d\d-\d\dT\d{6}Z"
#: What differs each time. An escape sequence ends with a letter, so no boundary of a word is behind it.
VARYING = re.compile(rf"(?:\b|(?<=\x1b\[\dm)|(?<=\x1b\[\d\dm))(?:{LENGTH}|{INSTANT})")


def output(command: Sequence[str], folder: Path, environment: Mapping[str, str]) -> str:
    """What a command prints to a terminal; CalledProcessError if it fails."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 60, COLUMNS, 0, 0))
    with subprocess.Popen(command, cwd=folder, env=dict(environment), stdin=subprocess.DEVNULL, stdout=theirs,
                          stderr=subprocess.STDOUT) as process:
        os.close(theirs)
        printed = b""
        while True:
            try:
                part = os.read(ours, 65536)
            except OSError:  # on Linux, the end of the terminal
                break
            if not part:
                break
            printed += part
    os.close(ours)
    text = printed.decode("utf-8").replace("\r\n", "\n")
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, list(command), output=text)
    return text


def session(binary: Path, app: str, commands: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """By name: what each command prints, run one after another on one copy of a sample's container."""
    with tempfile.TemporaryDirectory(prefix="godwit-pictures-") as scratch:
        kitchen = Kitchen(Path(scratch).resolve(), binary.resolve())
        environment = {name: value for name, value in kitchen.environment.items() if name != "NO_COLOR"}
        environment["TERM"] = "xterm-256color"
        subprocess.run(["cp", "-R", f"SampleData/{app}/container", "App"], cwd=kitchen.folder, check=True)
        return {name: output(command, kitchen.folder, environment) for name, command in commands.items()}


def with_times_of(printed: str, shown: str) -> str:
    """An output with the durations and instants that an earlier one has in the same places."""
    times = [found.group() for found in VARYING.finditer(shown)]
    if len(times) != len(VARYING.findall(printed)):
        return printed
    following = iter(times)
    return VARYING.sub(lambda _: next(following), printed)
