"""A folder with an app's manifest and container, in which something hostile is put and commands are called."""

from __future__ import annotations

import os
import shutil
import stat
import tempfile
from pathlib import Path

from ..calling import Call, Word, call, environment
from ..fingerprint import fingerprint
from .apps import App

#: Commands that need no manifest.
BARE = ("inspect", "init")
#: The clock of all calls.
NOW = "2026-11-21T06:00:00Z"


class Scene:
    """`home/` holds manifest, migrations and container, `tmp/` is TMPDIR, `out/` takes what commands write.

    `variables` and `words` are added to every call.
    """

    def __init__(self, binary: Path, app: App, parent: Path) -> None:
        self.binary = binary
        self.app = app
        self.root = Path(tempfile.mkdtemp(prefix="godwit-fault-", dir=parent))
        self.home, self.temporary, self.out = (self.root / name for name in ("home", "tmp", "out"))
        for folder in (self.home, self.temporary, self.out):
            folder.mkdir()
        app.build(self.home)
        self.variables: dict[str, str] = {}
        self.words: list[Word] = ["--now", NOW, "--lock-timeout", "1s"]
        #: Files that must stay as they are, whatever happens.
        self.kept: dict[Path, bytes] = {}
        self._outputs = 0

    def remove(self) -> None:
        """Takes the whole folder away, whatever modes it was given."""
        for folder, _, _ in os.walk(self.root):
            if not os.path.islink(folder):
                os.chmod(folder, stat.S_IRWXU)
        shutil.rmtree(os.fsencode(self.root), ignore_errors=True)

    @property
    def container(self) -> Path:
        return self.home / "container"

    @property
    def manifest(self) -> Path:
        return self.home / "godwit.yaml"

    @property
    def plist(self) -> Path:
        return self.container / self.app.plist

    @property
    def local(self) -> Path:
        return self.container / self.app.local

    @property
    def cloud(self) -> Path:
        return self.container / self.app.cloud

    def call(self, command: str, *more: Word) -> Call:
        """Calls a command on manifest and container; an export goes to a new file in `out/`, a draft into a new folder."""
        place: list[Word] = ["-m", self.manifest, "-c", self.container]
        words: list[Word] = [command, *([self.container] if command in BARE else place), *self.words, *more]
        if command == "init":
            self._outputs += 1
            words += ["-o", self.out / f"draft-{self._outputs}"]
        if command == "export" and "-o" not in words:
            self._outputs += 1
            words += ["-o", self.out / f"export-{self._outputs}.json"]
        return call(
            self.binary, words, folder=self.home, variables=environment(self.temporary, self.variables))

    def mark(self) -> dict[bytes, tuple]:
        """Manifest, migrations and container as they are now."""
        return fingerprint(self.home)
