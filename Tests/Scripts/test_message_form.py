"""The literals of errors, warnings and hints have the form that the style asks for, as far as a program can check."""

from __future__ import annotations

import re
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
#: The call that makes a message, and which argument the message is.
CALL = re.compile(r"(?<![\w.])(GodwitError|Warning|Note)\(|\.(refusal)\(")
ARGUMENT = {"GodwitError": 2, "Warning": 1, "Note": 1, "refusal": 1}
#: Names that a message may begin with.
NAMES = ("CloudKit", "SQLite", "Slurm", "Godwit", "Core Data")


def end_of_text(source: str, index: int, marks: str = "") -> int:
    """The index after a string literal; `index` is that of its first character."""
    while True:
        if source.startswith(f"\\{marks}(", index):
            index = end_of_brackets(source, index + 2 + len(marks))
        elif source[index] == "\\" and not marks:
            index += 2
        elif source.startswith(f'"{marks}', index):
            return index + 1 + len(marks)
        else:
            index += 1


def end_of_brackets(source: str, index: int) -> int:
    """The index after the bracket that closes the one before `index`."""
    depth = 1
    while depth:
        if source[index] == '"':
            index = end_of_text(source, index + 1)
            continue
        depth += {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}.get(source[index], 0)
        index += 1
    return index


def arguments(call: str) -> list[str]:
    """The arguments of a call, by its text between the brackets."""
    found, start, index = [], 0, 0
    while index < len(call):
        character = call[index]
        if character == '"':
            index = end_of_text(call, index + 1)
        elif character in "([{":
            index = end_of_brackets(call, index + 1)
        else:
            if character == ",":
                found.append(call[start:index])
                start = index + 1
            index += 1
    return [argument.strip() for argument in [*found, call[start:]]]


def literals(argument: str) -> list[str]:
    """The texts of an expression, without the texts in their interpolations."""
    found, index = [], 0
    while (start := argument.find('"', index)) >= 0:
        index = end_of_text(argument, start + 1)
        found.append(argument[start + 1:index - 1])
    return found


def faults_of_message(texts: list[str]) -> list[str]:
    """What is wrong with the texts that a message is made of."""
    faults = []
    if texts and re.match(r"[A-Z][a-z]", texts[0]) and not texts[0].startswith(NAMES):
        faults.append(f"begins with a capital letter: {texts[0]}")
    faults += [f"ends with a full stop: {text}" for text in texts if re.search(r"(?<![.…])\.$", text)]
    return faults + [f"has two spaces: {text}" for text in texts if "  " in text]


def faults_of_hint(texts: list[str]) -> list[str]:
    """What is wrong with the texts that a hint is made of; a hint that ends with an expression is not checked."""
    faults = [f"has two spaces: {text}" for text in texts if "  " in text]
    if texts and " " in texts[-1] and not re.search(r"[.?)}…]$", texts[-1]):
        faults.append(f"does not end with a full stop: {texts[-1]}")
    return faults


def faults_of(source: str) -> list[str]:
    """The faults of all messages and hints of a Swift file, each with its line."""
    found = []
    for match in CALL.finditer(source):
        line = source.count("\n", 0, match.start()) + 1
        given = arguments(source[match.end():end_of_brackets(source, match.end()) - 1])
        index = ARGUMENT[match[1] or match[2]]
        faults = faults_of_message(literals(given[index])) if len(given) > index else []
        for argument in given:
            if argument.startswith("hint: "):
                faults += faults_of_hint(literals(argument))
        found += [f"{line}: {fault}" for fault in faults]
    return found


class MessageFormTests(unittest.TestCase):
    def test_every_message_and_hint_of_the_sources_has_the_form(self) -> None:
        found, calls = [], 0
        for path in sorted(ROOT.glob("Sources/**/*.swift")):
            source = path.read_text(encoding="utf-8")
            calls += len(CALL.findall(source))
            found += [f"{path.relative_to(ROOT)}:{fault}" for fault in faults_of(source)]
        self.assertGreater(calls, 400)
        self.assertEqual(found, [])

    def test_faults_are_found(self) -> None:
        good = 'GodwitError(.copy, .data, "`\\(name("a. b"))` is damaged", hint: "Restore it, or \\(other).")'
        self.assertEqual(faults_of(good), [])
        for bad in (good.replace("`\\(", "The `\\("), good.replace("damaged", "damaged."), good.replace("is d", "is  d"),
                    good.replace('Restore it, or \\(other).', "Restore it now")):
            self.assertEqual(len(faults_of(bad)), 1, bad)


if __name__ == "__main__":
    unittest.main()
