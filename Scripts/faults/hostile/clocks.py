"""Clocks that are wrong: far away, going backwards, odd in writing, and files and records dated by such clocks."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing

from ..calling import Call
from .apps import TRAINLOG
from .case import OK, Case, Codes
from .scene import Arrangement, Scene, unchanged

USAGE: Codes = frozenset({64})
EITHER = OK | USAGE
#: Instants for `--now`; the fuzz target for instants reads them as well.
TAKEN = (
    "1969-12-31T23:59:59Z", "1970-01-01T00:00:00Z", "2038-01-19T03:14:08Z", "2999-12-31T23:59:59.999Z",
    "2026-11-21T06:00:00+14:00", "2026-11-21T06:00:00.123456789012345678Z", "0001-01-01T00:00:00Z",
    "9999-12-31T23:59:59Z",
)
REFUSED = (
    "", " ", "now", "yesterday", "2026-02-30T00:00:00Z", "2026-11-21T25:00:00Z", "2026-11-21T06:00:60.5Z",
    "10000-01-01T00:00:00Z", "-0001-01-01T00:00:00Z", "99999999999999999999-01-01T00:00:00Z",
    "2026-11-21T06:00:00+99:99", "\u0662\u0660\u0662\u0666-11-21T06:00:00Z", "2026-11-21T06:00:00Z\n", "1e9",
    "\x1b[31m", "9" * 100_000,
)


def cases() -> list[Case]:
    """All of them."""
    return [*_now(), *_epoch(), *_files(), *_records(), _backwards()]


def _now() -> list[Case]:
    quick = ("run",)
    found = [
        Case(f"clock {text}", unchanged, OK, {"verify": OK | {1}}, app=TRAINLOG, words=("--now", text), quick=quick)
        for text in TAKEN
    ]
    return found + [
        Case(f"clock {text[:40]!r}", unchanged, EITHER, {"verify": EITHER | {1}}, app=TRAINLOG, words=("--now", text),
             quick=quick, commands=("plan", "run", "export", "status"))
        for text in REFUSED
    ]


def _epoch() -> list[Case]:
    def variable(value: str) -> Arrangement:
        def arrange(scene: Scene) -> None:
            scene.variables["SOURCE_DATE_EPOCH"] = value
            scene.words = [word for word in scene.words if word not in ("--now", "2026-11-21T06:00:00Z")]

        return arrange

    values = {
        "0": OK, "-1": USAGE, "4102444800": OK, "32535215999": OK, "253402300799": OK, "253402300800": USAGE,
        "1795237200000": USAGE, "9223372036854775807": USAGE, "-9223372036854775808": USAGE,
        "9223372036854775808": USAGE, "1e9": USAGE, "abc": USAGE, " 1": USAGE, "0x10": USAGE, "1.5": USAGE,
        "\u0661": USAGE, "\x1b[31m": USAGE, "9" * 5000: USAGE,
    }
    return [
        Case(f"epoch {value[:30]!r}", variable(value), OK, {"export": codes}, app=TRAINLOG, quick=("run",),
             commands=("plan", "run", "export", "status", "history"))
        for value, codes in values.items()
    ]


def _files() -> list[Case]:
    def dated(seconds: int) -> Arrangement:
        return lambda scene: [os.utime(path, (seconds, seconds)) for path in (scene.plist, scene.local)]

    return [
        Case(f"files of {year}", dated(seconds), OK, {"verify": OK | {1}}, app=TRAINLOG)
        for year, seconds in {
            "1901": -2_147_483_648, "1969": -1, "1970": 0, "2038": 2_147_483_648, "2262": 9_223_372_036,
            "2446": 15_032_385_535, "2999": 32_535_215_999}.items()
    ]


def _records() -> list[Case]:
    """Records dated by a wrong clock, on both sides."""

    def dated(value: object) -> Arrangement:
        def arrange(scene: Scene) -> None:
            with closing(sqlite3.connect(scene.local, isolation_level=None)) as connection:
                connection.execute("UPDATE Workout SET updatedAt = ?", (value,))

        return arrange

    values = {
        "year 2999": "2999-01-01T00:00:00Z", "year 10000": "10000-01-01T00:00:00Z", "year 0": "0000-01-01T00:00:00Z",
        "1 BC": "-0001-01-01T00:00:00Z", "30 february": "2026-02-30T00:00:00Z", "leap second": "2026-12-31T23:59:60Z",
        "no zone": "2026-11-20T10:00:00", "zone of 26 hours": "2026-11-20T10:00:00+26:00", "words": "yesterday",
        "empty": "", "seconds": 1_795_209_243, "milliseconds": 1_795_209_243_000, "infinite": float("inf"),
        "int64 most": (1 << 63) - 1, "int64 least": -(1 << 63), "1e308": 1e308, "nanoseconds":
        "2026-11-20T10:00:00.000000001Z", "a blob": b"2026-11-20", "with a nul": "2026-11-20T10:00:00Z\0x",
        "of 1 MiB": "2026-11-20T10:00:00." + "1" * (1 << 20) + "Z", "steering terminal": "\x1b[31m\u202e",
    }
    return [
        Case(f"records of {name}", dated(value), OK, {"verify": OK | {1}}, app=TRAINLOG, quick=("run",))
        for name, value in values.items()
    ]


def _backwards() -> Case:
    """A second run whose clock shows an earlier time than the first."""

    def arrange(scene: Scene) -> None:
        first = scene.call("migrate", "--now", "2999-01-01T00:00:00Z")
        assert first.code == 0, first.errors

    def ordered(_: Scene, call: Call) -> list[str]:
        is_wrong = call.words[0] == "history" and call.code == 0 and b"migrate" not in call.output
        return ["the run of the future is not in the history"] if is_wrong else []

    return Case("clock going backwards", arrange, OK, {"verify": OK | {1}}, app=TRAINLOG, check=ordered)
