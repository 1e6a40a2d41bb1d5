"""What the names of a profile mean: whose code a function is, and how a reader calls it."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections import Counter
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Callable

#: Names of packages that are linked into the executable; symbols hold a module's name behind its length.
PACKAGES = ("GRDB", "ArgumentParser", "ArgumentParserToolInfo", "Yams", "CYaml", "Crypto", "CryptoBoringWrapper")
LONGEST = 90
#: Functions of a library without symbols are one.
NAMELESS = "functions without a name"


@dataclass(frozen=True)
class Place:
    """A function, by its symbol, in an executable or a library, by its path."""

    object: str
    symbol: str

    @staticmethod
    def named(object: str, symbol: str) -> Place:
        """What is shown only by its address has no name."""
        return Place(object, "" if re.fullmatch(r"0x[0-9a-f]+|\?\?\?", symbol) else symbol)

    @property
    def library(self) -> str:
        name = Path(self.object).name
        if "kernel" in name:
            return "kernel"
        for beginning, library in (("libsqlite3", "SQLite"), ("libz.", "zlib"), ("ld-linux", "loader"),
                                   ("libc.", "libc"), ("libc-", "libc"), ("libm.", "libc"), ("libpthread", "libc"),
                                   ("libFoundation", "Foundation"), ("lib_FoundationICU", "ICU"),
                                   ("libswift", "Swift's runtime and standard library"), ("libdispatch", "Dispatch")):
            if name.startswith(beginning):
                return library
        return of_executable(self.symbol) if name.startswith("godwit") else name or "other"


def archives() -> list[Path]:
    """SQLite's, where `Scripts/build` linked it into what it built last: one or none."""
    return sorted(Path(__file__).resolve().parents[2].glob(".build-sqlite/*/libsqlite3.a"))


@cache
def names_of_sqlite() -> frozenset[str]:
    """All functions of SQLite's archive, where it is linked into the executable: few have a name that says so."""
    if not (found := archives()) or not shutil.which("nm"):
        return frozenset()
    said = subprocess.run(["nm", "--defined-only", *map(str, found)], capture_output=True, text=True, check=False).stdout
    return functions_of(said)


def functions_of(said: str) -> frozenset[str]:
    """Those of lines such as `0000000000000a60 t accessPayload`, exported (T) or not."""
    words = (line.split() for line in said.splitlines())
    return frozenset(word[2] for word in words if len(word) == 3 and word[1] in "tT")


def of_executable(symbol: str) -> str:
    """Hashing, packages, and what a static link brings along are in there together with Godwit's own code."""
    if "BoringSSL" in symbol:
        return "hashing (BoringSSL)"
    if re.search(r"\d+Godwit", symbol):
        return "Godwit"
    for package in PACKAGES:
        if f"{len(package)}{package}" in symbol:
            return "other packages"
    if symbol.startswith("sqlite3") or symbol in names_of_sqlite():
        return "SQLite"
    if re.match(r"_?swift_|swift::|\$sS|\$ss", symbol):
        return "Swift's runtime and standard library"
    return "Godwit"


def by(costs: Counter[Place], key: Callable[[Place], str]) -> dict[str, float]:
    """Shares of all, the largest first."""
    found: Counter[str] = Counter()
    for place, cost in costs.items():
        found[key(place)] += cost
    total = sum(found.values()) or 1
    return {name: cost / total for name, cost in found.most_common()}


def largest(costs: Counter[Place], count: int) -> list[tuple[Place, float]]:
    total = sum(costs.values()) or 1
    return [(place, cost / total) for place, cost in costs.most_common(count)]


def readable(symbols: list[str]) -> list[str]:
    """The symbols, demangled if Swift is installed, and shortened."""
    names = symbols
    if shutil.which("swift"):
        said = subprocess.run(["swift", "demangle", "--compact", "--simplified"], input="\n".join(symbols) + "\n",
                              capture_output=True, text=True, check=False).stdout.splitlines()
        names = said if len(said) == len(symbols) else symbols
    return [shortened(one) for one in names]


def shortened(name: str) -> str:
    """Without the versions of symbols, the arguments of C++, and what a table can't show."""
    plain = re.sub(r"@@?[A-Z]+_[\d.]+$", "", name).replace("(anonymous namespace)::", "")
    while "::" in plain and (shorter := re.sub(r"\([^()]*\)|<[^<>]*>", "", plain)) != plain:
        plain = shorter
    plain = plain.replace("|", "\\|").replace("`", "'") or NAMELESS
    return plain if len(plain) <= LONGEST else plain[:LONGEST - 1] + "…"
