"""Makes the man page from the JSON that `godwit --experimental-dump-help` prints.

Reads the JSON from standard input; the version is the only argument. The page uses the man(7) macros, which groff and
mandoc read.
"""

from __future__ import annotations

import json
import re
import sys
from typing import Any, Iterator

NO_CODES = re.compile(r"\n*Exit codes:\n(.*)\Z", re.DOTALL)
CODE = re.compile(r"^\s*([0-9]+(?:, [0-9]+)*)\s+(.+)$")

ENVIRONMENT = (
    ("GODWIT_MANIFEST", "The manifest, if --manifest is not given."),
    ("GODWIT_CONTAINER", "The container, if --container is not given."),
    ("SOURCE_DATE_EPOCH", "The current time for export, in seconds since 1970, if --now is not given."),
    ("NO_COLOR", "Print without colors, for any value."),
    ("TMPDIR", "The folder for private copies; /tmp if it is not set."),
    ("GITHUB_STEP_SUMMARY", "With --format github: the file to which a summary is added."),
    ("GITHUB_WORKSPACE", "With --format github: the root of the paths of annotations."),
)
EXAMPLES = (
    ("Plan a run, then run it:", "godwit plan -m godwit.yaml -c container",
     "godwit run -m godwit.yaml -c container"),
    ("Verify the result again, for a CI system that reads JUnit:", "godwit verify --format junit -o godwit.xml"),
    ("Export every night if the content changed:", "godwit export --gzip --if-changed -o exports/$(date +%F).json.gz"),
)


def escaped(text: str) -> str:
    """Escapes text for the macros."""
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq").replace("`", "\\(ga")
    return "\n".join("\\&" + line if line.startswith((".", "'")) else line for line in text.split("\n"))


def bold(text: str) -> str:
    """Text in bold."""
    return f"\\fB{escaped(text)}\\fR"


def italic(text: str) -> str:
    """Text in italics."""
    return f"\\fI{escaped(text)}\\fR"


def prose(text: str) -> str:
    """A text of paragraphs, with what is between backticks in bold."""
    parts = re.split(r"`([^`]+)`", text)
    marked = "".join(bold(part) if index % 2 else escaped(part) for index, part in enumerate(parts))
    return marked.strip().replace("\n\n", "\n.PP\n")


def names(argument: dict[str, Any]) -> list[str]:
    """The spellings of an option, the short one first."""
    given = sorted(argument.get("names", []), key=lambda name: name["kind"] != "short")
    return [("-" if name["kind"] == "short" else "--") + name["name"] for name in given]


def identity(argument: dict[str, Any]) -> str:
    """What distinguishes one option from another, its text included."""
    return json.dumps([names(argument), argument.get("abstract"), argument.get("discussion")])


def shown(command: dict[str, Any]) -> list[dict[str, Any]]:
    """The arguments that help shows, but for help itself and the version."""
    hidden = {"help", "version"}
    return [argument for argument in command.get("arguments", [])
            if argument["shouldDisplay"] and not hidden & {name["name"] for name in argument.get("names", [])}]


def shared(commands: list[dict[str, Any]]) -> set[str]:
    """Options that every command has, with the text that most of them have; the others tell theirs themselves."""
    counts: dict[str, int] = {}
    for command in commands:
        for argument in shown(command):
            counts[identity(argument)] = counts.get(identity(argument), 0) + 1
    spelled = set.intersection(*({tuple(names(argument)) for argument in shown(command)} for command in commands))
    return {one for one, count in counts.items()
            if count * 2 > len(commands) and tuple(json.loads(one)[0]) in spelled}


def item(argument: dict[str, Any]) -> Iterator[str]:
    """One option with what it means."""
    value = italic(argument.get("valueName", ""))
    if argument["kind"] == "positional":
        head = value
    else:
        head = ", ".join(map(bold, names(argument))) + (f" {value}" if argument["kind"] == "option" else "")
    yield ".TP"
    yield head
    yield prose(argument.get("abstract", ""))
    if argument.get("discussion"):
        yield prose(argument["discussion"]) + "."


def page(dump: dict[str, Any], version: str) -> Iterator[str]:
    """The lines of the page."""
    root = dump["command"]
    commands = [command for command in root["subcommands"] if command["commandName"] != "help"]
    common = shared(commands)
    name = root["commandName"]
    yield '.\\" Made by Scripts/manual from what the command says of itself; do not edit.'
    yield f'.TH {name.upper()} 1 "" "{name} {escaped(version)}" "User Commands"'
    yield ".SH NAME"
    yield f"{name} \\- {escaped(root['abstract'][0].lower() + root['abstract'][1:].rstrip('.'))}"
    yield ".SH SYNOPSIS"
    yield f".B {name}"
    yield f"{italic('command')} [{italic('options')}]"
    yield ".SH DESCRIPTION"
    yield prose(root["discussion"])
    yield ".SH COMMANDS"
    for command in commands:
        yield from section(command, common)
    yield ".SH OPTIONS OF EVERY COMMAND"
    for argument in {identity(one): one for command in commands for one in shown(command)}.values():
        if identity(argument) in common:
            yield from item(argument)
    yield from (".TP", f"{bold('-h')}, {bold('--help')}", "What the command does, and its exit codes.")
    yield from (".TP", bold("--version"), f"The version of {name}.")
    yield from ending(commands)


def section(command: dict[str, Any], common: set[str]) -> Iterator[str]:
    """One command with the options that not every command has."""
    yield f".SS {command['commandName']}"
    yield prose(command["abstract"])
    discussion = NO_CODES.sub("", command.get("discussion", "")).strip()
    if discussion:
        yield ".PP"
        yield prose(discussion)
    for argument in shown(command):
        if identity(argument) not in common:
            yield from item(argument)


def meanings_in(text: str) -> Iterator[tuple[str, str]]:
    """Each code with what it means; lines that begin with blanks go on with the one before."""
    found: list[tuple[str, str]] = []
    for line in text.split("\n"):
        if match := CODE.match(line):
            found.append((match[1], match[2]))
        elif found and line.startswith(" "):
            found[-1] = (found[-1][0], f"{found[-1][1]} {line.strip()}")
    yield from found


def ending(commands: list[dict[str, Any]]) -> Iterator[str]:
    """What is the same for all commands: codes, variables, examples."""
    codes: dict[str, list[str]] = {}
    for command in commands:
        found = NO_CODES.search(command.get("discussion", ""))
        for code, meaning in meanings_in(found[1] if found else ""):
            known = codes.setdefault(code, [])
            # What all begin with alike is said once.
            start, _, rest = meaning.partition(": ")
            if known and rest and known[0].startswith(f"{start}: "):
                meaning = rest
            if meaning not in known and not any(one.endswith(f": {meaning}") for one in known):
                known.append(meaning)
    yield ".SH EXIT STATUS"
    for code in sorted(codes, key=lambda code: int(code.split(",")[0])):
        yield from (".TP", bold(code), escaped("; ".join(codes[code])) + ".")
    yield ".PP"
    yield "Treat a code that is not listed as failure."
    yield ".SH ENVIRONMENT"
    for variable, meaning in ENVIRONMENT:
        yield from (".TP", bold(variable), escaped(meaning))
    yield ".SH EXAMPLES"
    for title, *lines in EXAMPLES:
        yield from (".PP", escaped(title), ".PP", ".nf", ".RS", *map(escaped, lines), ".RE", ".fi")
    yield ".SH SEE ALSO"
    yield ".BR sqlite3 (1),"
    yield ".BR plutil (1)"


def main() -> int:
    """Prints the page."""
    print("\n".join(page(json.load(sys.stdin), sys.argv[1])))
    return 0


if __name__ == "__main__":
    sys.exit(main())
