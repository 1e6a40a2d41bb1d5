"""Names with spaces, newlines, quotes, URI marks, emoji, a leading dash, of 255 bytes, in both Unicode forms."""

from __future__ import annotations

import os
from collections.abc import Callable

from ..calling import Call
from .surrounding import OK, Place, Surrounding

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
    found = []
    for name, text in NAMES.items():

        def make(place: Place, text: str = text) -> None:
            moved = place.home / text
            place.container.rename(moved)
            place.container.symlink_to(text)
            # A leading dash would be taken for an option; `./` is how people name such a folder.
            place.container_word = f"./{text}"

        found.append(Surrounding(f"container named with {name}", make))
    return found


def _folders() -> list[Surrounding]:
    """The whole home, manifest and migrations included, below an odd name, as the working directory."""
    found = []
    for name, text in NAMES.items():

        def make(place: Place, text: str = text) -> None:
            moved = place.root / text
            place.home.rename(moved)
            place.home.symlink_to(text)
            place.folder = moved
            place.manifest_word, place.container_word = "godwit.yaml", "container"

        found.append(Surrounding(
            f"working in a folder named with {name}", make, is_quick=name in {"newline", "uri marks"}))
    return found


def _outputs() -> list[Surrounding]:
    found = []
    for name, text in NAMES.items():

        def written(place: Place, done: Call, text: str = text) -> list[str]:
            # A name of 255 bytes has no room for a suffix, and needs none.
            path = place.out / text
            if done.code != 0:
                return []
            return [] if path.is_file() and path.stat().st_size > 100 else ["the output is not there"]

        found.append(Surrounding(
            f"output named with {name}", lambda place: None, check=written, recovers=False,
            commands=(("export", "-q", "-o", f"../out/{text}"),)))
    return found


def _raw() -> list[Surrounding]:
    """Bytes that are no UTF-8: refused with a line that says which word, never another file touched."""

    def at(part: str) -> Callable[[Place], None]:
        def make(place: Place) -> None:
            odd = os.path.join(os.fsencode(place.home), b"caf\xe9")
            if part == "manifest":
                os.rename(place.manifest, odd)
                os.symlink(b"caf\xe9", os.fsencode(place.manifest))
                place.manifest_word = odd
            elif part == "container":
                os.rename(place.container, odd)
                place.container_word = odd
            elif part == "container behind a link":
                os.rename(place.container, odd)
                os.symlink(b"caf\xe9", os.fsencode(place.container))
            elif part == "a variable":
                os.rename(place.container, odd)
                place.variables["GODWIT_CONTAINER"] = os.fsdecode(odd)
            elif part == "the working directory":
                os.mkdir(odd)
                place.folder = odd
                place.manifest_word, place.container_word = "../godwit.yaml", "../container"

        return make

    def back(place: Place) -> None:
        odd = os.path.join(os.fsencode(place.home), b"caf\xe9")
        if os.path.islink(os.fsencode(place.container)):
            os.unlink(os.fsencode(place.container))
        if not os.path.lexists(os.fsencode(place.container)):
            os.rename(odd, os.fsencode(place.container))

    def nothing_was_made(place: Place, done: Call) -> list[str]:
        found = [each for each in os.listdir(os.fsencode(place.out)) if each.startswith(b"caf")]
        return [f"made {found}"] if found else []

    usage, absent = frozenset({64}), frozenset({66})
    return [
        Surrounding("manifest not UTF-8", at("manifest"), usage),
        Surrounding("container not UTF-8", at("container"), usage, undo=back),
        Surrounding("container not UTF-8 behind a link", at("container behind a link"), absent, undo=back),
        Surrounding("GODWIT_CONTAINER not UTF-8", at("a variable"), usage, undo=back),
        Surrounding("working directory not UTF-8", at("the working directory"), OK),
        Surrounding("output not UTF-8", lambda place: None, usage, check=nothing_was_made,
                    commands=(("export", "-o", b"../out/caf\xe9"), ("plan", "-o", b"../out/caf\xe9"))),
        Surrounding("option not UTF-8", lambda place: None, usage, commands=((b"plan", b"--caf\xe9"),)),
    ]
