"""A folder with an app's manifest and container, in which something hostile or odd is put and commands are called."""

from __future__ import annotations

import os
import shutil
import stat
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from ..calling import Call, Word, call, environment
from ..fingerprint import fingerprint
from .apps import App

#: Commands that need no manifest.
BARE = ("inspect", "init")
#: The clock of all calls.
NOW = "2026-11-21T06:00:00Z"
Arrangement = Callable[["Scene"], object]


class Scene:
    """`home/` holds manifest, migrations and container, `tmp/` is TMPDIR, `out/` takes what commands write.

    `variables` and `words` are added to every call, `setup` is shell text before it, and `folder` its working directory.
    """

    def __init__(self, binary: Path, app: App, parent: Path) -> None:
        self.binary = binary
        self.app = app
        self.root = Path(tempfile.mkdtemp(prefix="godwit-fault-", dir=parent))
        self.home, self.temporary, self.out = (self.root / name for name in ("home", "tmp", "out"))
        for folder in (self.home, self.temporary, self.out):
            folder.mkdir()
        app.build(self.home)
        self.container, self.manifest = self.home / "container", self.home / "godwit.yaml"
        self.plist, self.local, self.cloud = (self.container / name for name in (app.plist, app.local, app.cloud))
        self.variables: dict[str, str] = {}
        self.removed_variables: tuple[str, ...] = ()
        self.words: list[Word] = ["--now", NOW, "--lock-timeout", "1s"]
        self.setup = ""
        self.folder: Word = self.home
        #: The manifest and the container on the command line.
        self.manifest_word: Word = self.manifest
        self.container_word: Word = self.container
        self.command_name: Word | None = None
        #: A program, with its arguments, that starts the command.
        self.launcher: Sequence[Word] = ()
        #: A folder outside of the scene that an arrangement made.
        self.other = self.temporary
        #: Files whose bytes must not change.
        self.kept: dict[Path, bytes] = {}
        self._outputs = 0

    def remove(self) -> None:
        """Removes the whole folder, with any modes."""
        for folder, _, _ in os.walk(self.root):
            if not os.path.islink(folder):
                os.chmod(folder, stat.S_IRWXU)
        shutil.rmtree(os.fsencode(self.root), ignore_errors=True)

    def call(self, command: str, *more: Word) -> Call:
        """Calls a command on manifest and container; an export goes to a new file in `out/`, a draft to a new folder."""
        container: list[Word] = [self.container_word]
        if command not in BARE:
            container = ["-m", self.manifest_word, "-c", self.container_word]
        words: list[Word] = [command, *container, *self.words, *more]
        if command == "init" or command == "export" and not {"-o", "-n"} & set(words):
            self._outputs += 1
            words += ["-o", self.out / (
                f"draft-{self._outputs}" if command == "init" else f"export-{self._outputs}.json")]
        variables = environment(self.temporary, self.variables)
        for name in self.removed_variables:
            variables.pop(name, None)
        binary, arguments = self.binary, words
        if self.launcher:
            binary, arguments = self.launcher[0], [*self.launcher[1:], str(self.binary), *words]
        made = call(
            binary, arguments, folder=self.folder, variables=variables, setup=self.setup, name=self.command_name)
        return Call(tuple(words), made.code, made.output, made.errors, made.seconds)

    def plain(self, command: str) -> Call:
        """Calls a command by the true names, with an ordinary environment."""
        words: list[Word] = [command, "-m", self.manifest, "-c", self.container, "--now", NOW]
        return call(self.binary, words, folder=self.home, variables=environment(self.temporary))

    def mark(self) -> dict[bytes, tuple]:
        """The fingerprint of manifest, migrations and container."""
        return fingerprint(self.home)


def setting(**fields: object) -> Arrangement:
    """Sets fields of the scene."""
    return lambda scene: vars(scene).update(fields)


def written(field: str, content: bytes | str) -> Arrangement:
    """Writes bytes to the file of a field of the scene."""
    return lambda scene: getattr(scene, field).write_bytes(content.encode() if isinstance(content, str) else content)


def unchanged(scene: Scene) -> None:
    """Arranges nothing."""
