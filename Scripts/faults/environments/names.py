"""Names with spaces, newlines, quotes, URI marks, emoji, a leading dash, of 255 bytes, in both Unicode forms."""

from __future__ import annotations

import os

from ..calling import Call
from ..hostile.scene import Arrangement, Scene, unchanged
from .surrounding import OK, Surrounding

NAMES = {
    "spaces": "my app  data ",
    "newline": "new\nline",
    "quotes": "it's \"quoted\" `x` $(true)",
    "emoji": "\U0001f425 \U0001f468\u200d\U0001f469",
    "a leading dash": "-rf",
    "uri marks": "a?mode=ro&immutable=1#x%00%2e%2e",
    "file uri": "file:x?mode=memory",
    "a colon": ":memory:",
    "backslash": "a\\b",
    "composed": "caf\u00e9",
    "decomposed": "cafe\u0301",
    "bidi": "\u202egodwit",
    "controls": "\x1b[31mred\x07",
    "255 bytes": "x" * 255,
    "85 wide characters": "\u4e16" * 85,
    "a dot in front": ".hidden",
    "a dot behind": "data.",
    "percent": "100%s%n%d",
    "glob": "*[a-z]?",
    "a tilde": "~",
    "another ending": "x.xcappdata.old",
    "godwit's own prefix": "godwit-scratch-0-x",
}


def surroundings() -> list[Surrounding]:
    """All of them."""
    return [*_containers(), *_folders(), *_outputs(), *_raw()]


def _containers() -> list[Surrounding]:
    def named(text: str) -> Arrangement:
        def make(scene: Scene) -> None:
            scene.container.rename(scene.home / text)
            scene.container.symlink_to(text)
            # A leading dash would be an option; people write `./` before such a name.
            scene.container_word = f"./{text}"

        return make

    return [Surrounding(f"container named with {name}", named(text)) for name, text in NAMES.items()]


def _folders() -> list[Surrounding]:
    """The whole home, manifest and migrations included, below an odd name, as the working directory."""

    def named(text: str) -> Arrangement:
        def make(scene: Scene) -> None:
            scene.folder = scene.root / text
            scene.home.rename(scene.folder)
            scene.home.symlink_to(text)
            scene.manifest_word, scene.container_word = "godwit.yaml", "container"

        return make

    return [Surrounding(f"working in a folder named with {name}", named(text), is_quick=name in {"newline", "uri marks"})
            for name, text in NAMES.items()]


def _outputs() -> list[Surrounding]:
    def written(text: str):
        def check(scene: Scene, done: Call) -> list[str]:
            # A name of 255 bytes has no room for a suffix, and needs none.
            path = scene.out / text
            is_right = done.code != 0 or path.is_file() and path.stat().st_size > 100
            return [] if is_right else ["the output is not there"]

        return check

    return [Surrounding(f"output named with {name}", unchanged, check=written(text), recovers=False,
                        commands=(("export", "-q", "-o", f"../out/{text}"),)) for name, text in NAMES.items()]


def _odd(scene: Scene) -> bytes:
    return os.path.join(os.fsencode(scene.home), b"caf\xe9")


def _raw() -> list[Surrounding]:
    """Bytes that are no UTF-8: refused with a line that says which word, never another file touched."""

    def moved(field: str, is_word: bool = False, is_linked: bool = False, is_variable: bool = False) -> Arrangement:
        """The manifest or the container under the odd name, which the command line says, or a link, or a variable."""
        def make(scene: Scene) -> None:
            path = getattr(scene, field)
            os.rename(path, _odd(scene))
            if is_linked:
                os.symlink(b"caf\xe9", os.fsencode(path))
            if is_word:
                setattr(scene, f"{field}_word", _odd(scene))
            if is_variable:
                scene.variables["GODWIT_CONTAINER"] = os.fsdecode(_odd(scene))

        return make

    def working(scene: Scene) -> None:
        os.mkdir(_odd(scene))
        scene.folder = _odd(scene)
        scene.manifest_word, scene.container_word = "../godwit.yaml", "../container"

    def back(scene: Scene) -> None:
        if os.path.islink(os.fsencode(scene.container)):
            os.unlink(os.fsencode(scene.container))
        if not os.path.lexists(os.fsencode(scene.container)):
            os.rename(_odd(scene), os.fsencode(scene.container))

    def nothing_was_made(scene: Scene, _: Call) -> list[str]:
        found = [each for each in os.listdir(os.fsencode(scene.out)) if each.startswith(b"caf")]
        return [f"made {found}"] if found else []

    usage, absent = frozenset({64}), frozenset({66})
    return [
        Surrounding("manifest not UTF-8", moved("manifest", is_word=True, is_linked=True), usage),
        Surrounding("container not UTF-8", moved("container", is_word=True), usage, undo=back),
        Surrounding("container not UTF-8 behind a link", moved("container", is_linked=True), absent, undo=back),
        Surrounding("GODWIT_CONTAINER not UTF-8", moved("container", is_variable=True), usage, undo=back),
        Surrounding("working directory not UTF-8", working, OK),
        Surrounding("output not UTF-8", unchanged, usage, check=nothing_was_made,
                    commands=(("export", "-o", b"../out/caf\xe9"), ("plan", "-o", b"../out/caf\xe9"))),
        Surrounding("option not UTF-8", unchanged, usage, commands=((b"plan", b"--caf\xe9"),)),
    ]
