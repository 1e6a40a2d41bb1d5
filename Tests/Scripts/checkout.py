"""A checkout of nothing but some scripts, with a `swift` that only notes what it is asked for."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

SWIFT = """#!/usr/bin/env bash
case " $* " in
    *" --show-bin-path "*) echo "$NOTES/built" ;;
    *) printf '%s\\n' "$@" > "$NOTES/asked" ;;
esac
"""


class CheckoutTests(unittest.TestCase):
    """What runs scripts of a checkout from any folder."""

    def setUp(self) -> None:
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory())).resolve()
        self.checkout = self.folder / "check out"
        (self.checkout / "Scripts").mkdir(parents=True)
        tools = self.folder / "tools"
        tools.mkdir()
        self.put(tools / "swift", SWIFT)
        if clang := shutil.which("clang") or shutil.which("cc"):
            (tools / "clang").symlink_to(Path(clang).resolve())
        self.environment = {name: value for name, value in os.environ.items() if not name.startswith("GODWIT_")}
        self.environment |= {"PATH": f"{tools}:{os.environ['PATH']}", "NOTES": str(self.folder)}

    def put(self, path: Path, text: str) -> None:
        """Makes a program of a text."""
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        path.chmod(0o755)

    def take(self, *scripts: str) -> None:
        """Puts scripts of the repository into the checkout."""
        for script in scripts:
            shutil.copy(ROOT / "Scripts" / script, self.checkout / "Scripts" / script)

    def run_script(self, *arguments: str, folder: Path | None = None, **variables: str) -> subprocess.CompletedProcess[str]:
        """Runs a script, named as from the folder."""
        return subprocess.run(
            ["bash", *arguments], cwd=folder or self.checkout, env=self.environment | variables, capture_output=True,
            text=True, check=False)

    @property
    def asked(self) -> list[str]:
        """What swift was asked for last."""
        return (self.folder / "asked").read_text().splitlines()
