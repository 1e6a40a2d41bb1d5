"""Says which public symbols have no documentation: `python3 -m symbols FOLDER`, of what swift-symbolgraph-extract wrote.

Exit status 1 where there is one, or where there is nothing to look at.
"""
import json
import pathlib
import sys

# What the language requires of every type that conforms is documented where it is required.
SILENT = {
    "==(_:_:)", "hash(into:)", "encode(to:)", "init(from:)", "init(rawValue:)", "hashValue", "rawValue", "allCases",
    "RawValue", "AllCases",
}


def undocumented(graph):
    """Path and place of each symbol of a graph that has no comment and needs one."""
    for symbol in graph["symbols"]:
        path = symbol["pathComponents"]
        if symbol.get("docComment") or path[-1] in SILENT:
            continue
        place = symbol.get("location", {})
        file = place.get("uri", "").rpartition("/Sources/")[2]
        line = place.get("position", {}).get("line", -1) + 1
        yield ".".join(path), f"Sources/{file}:{line}" if file else "?"


def main(folder):
    """Looks at all graphs of a folder."""
    graphs = sorted(pathlib.Path(folder).glob("*.symbols.json"))
    count = 0
    missing = []
    for path in graphs:
        graph = json.loads(path.read_text(encoding="utf-8"))
        count += len(graph["symbols"])
        missing += undocumented(graph)
    for name, place in missing:
        print(f"{place}: {name} is public and has no documentation", file=sys.stderr)
    if not count:
        print(f"There are no public symbols in {folder}.", file=sys.stderr)
    print(f"{count} public symbols, {len(missing)} without documentation")
    return 1 if missing or not count else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
