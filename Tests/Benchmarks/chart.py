"""A chart of kept results, and their headline figures on the pages that show them: `Scripts/bench --chart`."""

from __future__ import annotations

import html
import json
import re
import sys
from pathlib import Path
from typing import Any

from .trainlog import ROOT

RESULTS = "Tests/Benchmarks/results"
#: The results that are shown: 1.1 million records, and ten times as many.
SMALL, LARGE = f"{RESULTS}/scale-1.json", f"{RESULTS}/scale-10.json"
CHART = "docs/images/speed-{scheme}.svg"
#: Pages with the headline figures, each between two comments.
PAGES = ("README.md", "docs/performance.md")
BLOCK = re.compile(r"(<!-- figures: Scripts/bench --chart -->\n).*?(<!-- end of figures -->)", re.DOTALL)

#: Works of Godwit's, each with the other tool's work that it was measured with.
EXPORT, VERIFY = ("godwit export", "sqlite3 -json"), ("godwit verify", "integrity_check")
RUN, COPY = ("godwit run", "INSERT … SELECT"), ("godwit copy", "INSERT … SELECT")
#: The rows of the chart. Those in which Godwit is slower belong here too.
ROWS = (EXPORT, ("godwit export --gzip", "sqlite3 -json, pigz -6"), VERIFY, ("godwit import", "sqlite3 .dump, sqlite3"),
        ("godwit copy", "sqlite3 .dump, sqlite3"), COPY)
#: By name in the results: what a reader knows the other tool by.
TOOLS = {"integrity_check": "PRAGMA integrity_check", "sqlite3 .dump, sqlite3": "sqlite3 .dump | sqlite3",
         "sqlite3 -json, pigz -6": "sqlite3 -json | pigz -6"}

SCHEMES = {
    "light": {"ground": "#ffffff", "text": "#1f2328", "faint": "#656d76", "line": "#d0d7de", "ours": "#0969da", "theirs": "#afb8c1"},
    "dark": {"ground": "#0d1117", "text": "#e6edf3", "faint": "#8b949e", "line": "#30363d", "ours": "#58a6ff", "theirs": "#6e7681"},
}
#: Pixels.
WIDTH, LEFT, RIGHT, TOP, BAR, ROW = 800, 130, 260, 76, 16, 52

Results = dict[str, Any]


def chart(small: Results, scheme: str) -> str:
    """The picture: two bars for each row, Godwit's and the other tool's."""
    colors = SCHEMES[scheme]
    found = [row(small, works) for works in ROWS]
    rows = [(one["godwit"]["work"].removeprefix("godwit "), one["godwit"], one["yardstick"]) for one in found]
    longest = max(side["seconds"] for _, *sides in rows for side in sides)
    height = TOP + ROW * len(rows) + 8
    title = f"Seconds for {small['records']:,} records: Godwit and other tools"
    described = "; ".join(f"{label}: {ours['seconds']:.2f} s, {tool(theirs)}: {theirs['seconds']:.2f} s"
                          for label, ours, theirs in rows)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" viewBox="0 0 {WIDTH} {height}" role="img"'
        ' aria-labelledby="title">',
        f'<title id="title">{escaped(title)}</title>', f"<desc>{escaped(described)}</desc>",
        "<style>text{font:14px system-ui,-apple-system,'Segoe UI',Roboto,'DejaVu Sans',sans-serif;"
        f"fill:{colors['text']}}}.head{{font-weight:600;font-size:16px}}.faint{{fill:{colors['faint']}}}"
        f".ours{{fill:{colors['ours']}}}.theirs{{fill:{colors['theirs']}}}</style>",
        f'<rect x="0.5" y="0.5" width="{WIDTH - 1}" height="{height - 1}" rx="8" fill="{colors["ground"]}"'
        f' stroke="{colors["line"]}"/>',
        f'<text class="head" x="16" y="28">{escaped(title)}</text>',
        '<rect class="ours" x="16" y="43" width="12" height="12" rx="2"/><text class="faint" x="34" y="54">Godwit</text>',
        '<rect class="theirs" x="104" y="43" width="12" height="12" rx="2"/>'
        '<text class="faint" x="122" y="54">another tool (a shorter bar is faster)</text>',
    ]
    for index, (label, *sides) in enumerate(rows):
        y = TOP + ROW * index
        parts.append(f'<text x="{LEFT - 12}" y="{y + 22}" text-anchor="end">{escaped(label)}</text>')
        for number, (name, side) in enumerate(zip(("ours", "theirs"), sides)):
            length = round(max(2, side["seconds"] / longest * (WIDTH - LEFT - RIGHT)), 1)
            at = y + number * (BAR + 2)
            parts.append(f'<rect class="{name}" x="{LEFT}" y="{at}" width="{length:g}" height="{BAR}" rx="2"/>')
            note = f' <tspan class="faint">{escaped(tool(side))}</tspan>' if number else ""
            parts.append(f'<text x="{LEFT + length + 8:g}" y="{at + 13}">{side["seconds"]:.2f} s{note}</text>')
    return "\n".join([*parts, "</svg>", ""])


def row(results: Results, works: tuple[str, str]) -> Results:
    """The row in which two works were measured alternately; ValueError if there is none."""
    for one in results["rows"].values():
        if (one["godwit"]["work"], one["yardstick"]["work"]) == works:
            return one
    raise ValueError(f"no row with `{works[0]}` and `{works[1]}` in the results: measure both scales again")


def tool(side: Results) -> str:
    """The other tool's name for readers."""
    return TOOLS.get(side["work"], side["work"])


def escaped(text: str) -> str:
    return html.escape(text, quote=False)


def headlines(small: Results, large: Results, prefix: str) -> str:
    """The figures in words; `prefix` leads from the page's folder to the repository's root."""
    export, run, verify, copy = (row(small, works) for works in (EXPORT, RUN, VERIFY, COPY))
    memory = max(peak for results in (small, large) for peak in results["memory"].values())
    dates = " and ".join(dict.fromkeys((small["measured"], large["measured"])))
    count, larger = f"{small['records']:,}", f"{large['records']:,}"
    return "\n".join([
        f"* `godwit run` migrates {count} records ({small['bytes']:,} bytes) in {seconds(run)}, all five stages."
        f" {larger} records take {seconds(row(large, RUN))}.",
        f"* `godwit export` writes {count} records as JSON in {seconds(export)}. `{tool(export['yardstick'])}` takes"
        f" {seconds(export, 'yardstick')}.",
        f"* `godwit copy` takes {seconds(copy)} and compares every record of both stores. A bare"
        f" `{tool(copy['yardstick'])}` takes {seconds(copy, 'yardstick')} and compares none.",
        f"* `godwit verify` checks both stores again in {seconds(verify)}.",
        f"* No command uses more than {memory:.0f} MiB of memory, with {count} records and with {larger}.",
        "",
        f"Medians of {small['rounds']} rounds, measured on {dates} ({small['machine']}). The tables:"
        f" [{count} records]({prefix}{SMALL.replace('.json', '.md')}),"
        f" [{larger} records]({prefix}{LARGE.replace('.json', '.md')}).",
        ""])


def seconds(measured: Results, side: str = "godwit") -> str:
    return f"{measured[side]['seconds']:.2f} s"


def files(root: Path) -> dict[str, str]:
    """By path: what each picture and each page should be. ValueError says why that cannot be known."""
    try:
        small, large = (json.loads((root / path).read_text(encoding="utf-8")) for path in (SMALL, LARGE))
        if not small["memory"] or not large["memory"]:
            raise ValueError("the memory of the commands was not measured")
        made = {CHART.format(scheme=scheme): chart(small, scheme) for scheme in SCHEMES}
        for page in PAGES:
            text = (root / page).read_text(encoding="utf-8")
            words = headlines(small, large, "../" * page.count("/"))
            made[page], count = BLOCK.subn(lambda found: found[1] + words + found[2], text)
            if count != 1:
                raise ValueError(f"{page}: {count} blocks of figures instead of 1")
    except OSError as error:
        raise ValueError(f"{error.filename}: {error.strerror}") from error
    except KeyError as error:
        raise ValueError(f"no {error} in the results") from error
    return made


def update(is_check: bool = False, root: Path = ROOT) -> int:
    """Writes what differs, or reports it, and returns the exit status."""
    try:
        made = files(root)
    except ValueError as error:
        print(f"bench: {error}", file=sys.stderr)
        return 1
    different = [path for path, text in made.items()
                 if not (root / path).is_file() or (root / path).read_text(encoding="utf-8") != text]
    for path in different:
        if is_check:
            print(f"bench: {path}: not made from the kept results; run Scripts/bench --chart", file=sys.stderr)
        else:
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(made[path], encoding="utf-8")
            print(f"bench: {path} written")
    return 1 if is_check and different else 0
