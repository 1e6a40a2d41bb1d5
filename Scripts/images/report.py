"""The picture of an HTML report, and the file that says which page it was made from.

Two machines make different bytes of one page: their fonts differ. So a check compares hashes: of the page, and of the
pictures that were made from it. The file is in the format of sha256sum, which checks it too.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
from pathlib import Path
from typing import Iterator, Sequence

from reports.browser import SCHEMES, Browser

#: The golden page that is shown; GoldenReportTests compares it with what Godwit writes today.
PAGE = "Tests/Golden/reports/plan.html"
PICTURES = {scheme: f"docs/images/report-{scheme}.png" for scheme in sorted(SCHEMES, reverse=True)}
HASHES = "docs/images/report.sha256"
#: Pixels: the top of the page, down to the list of stages.
WIDTH, HEIGHT = 1000, 985
#: Bytes: readers of README.md load the picture.
MAX_SIZE = 150_000


def chromium() -> str | None:
    """The path of the browser, if there is one."""
    names = (os.environ.get("CHROMIUM", ""), "chromium", "chromium-browser", "google-chrome", "chrome")
    return next((found for name in names if name and (found := shutil.which(name))), None)


def make(program: str, repository: Path) -> None:
    """Writes the pictures, and the hashes of the page and of them; OSError if the browser makes none."""
    with tempfile.TemporaryDirectory() as folder:
        browser = Browser(program, folder)
        for scheme, name in PICTURES.items():
            shot = Path(folder) / f"{scheme}.png"
            done = browser.run(repository / PAGE, WIDTH, scheme, f"--screenshot={shot}", f"--window-size={WIDTH},{HEIGHT}")
            if not shot.is_file():
                raise OSError(f"{program} made no picture of {PAGE}: {done.stderr.strip()[-500:]}")
            (repository / name).parent.mkdir(parents=True, exist_ok=True)
            (repository / name).write_bytes(shot.read_bytes())
    (repository / HASHES).write_text(hashes(repository, [PAGE, *PICTURES.values()]), encoding="utf-8")


def hashes(repository: Path, names: Sequence[str]) -> str:
    """A line for each file, as sha256sum prints it."""
    return "".join(f"{hashlib.sha256((repository / name).read_bytes()).hexdigest()}  {name}\n" for name in names)


def problems(repository: Path) -> Iterator[str]:
    """What is wrong with the pictures."""
    names = [PAGE, *PICTURES.values()]
    missing = [name for name in [*names, HASHES] if not (repository / name).is_file()]
    if missing:
        yield from (f"{name}: missing" for name in missing)
        return
    kept = (repository / HASHES).read_text(encoding="utf-8").splitlines()
    wanted = hashes(repository, names).splitlines()
    for name, line in zip(names, wanted):
        if line not in kept:
            yield f"{name}: changed after the picture of the report was made"
    if len(kept) != len(wanted):
        yield f"{HASHES}: {len(kept)} lines instead of {len(wanted)}"
    for name in PICTURES.values():
        if (size := (repository / name).stat().st_size) > MAX_SIZE:
            yield f"{name}: {size:,} bytes, more than {MAX_SIZE:,}"
