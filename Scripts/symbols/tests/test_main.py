"""What counts as documented."""
import contextlib
import io
import json
import pathlib
import tempfile
import unittest

from symbols.__main__ import main


def symbol(*path, comment=None, line=0):
    """A symbol as swift-symbolgraph-extract writes it."""
    made = {
        "pathComponents": list(path),
        "location": {"uri": "file:///somewhere/Sources/Godwit/Migration.swift", "position": {"line": line}},
    }
    if comment:
        made["docComment"] = {"lines": [{"text": comment}]}
    return made


class MainTests(unittest.TestCase):
    def run_main(self, *symbols):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "Godwit.symbols.json")
            path.write_text(json.dumps({"symbols": symbols}), encoding="utf-8")
            out, err = io.StringIO(), io.StringIO()
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
                code = main(folder)
            return code, out.getvalue(), err.getvalue()

    def test_documented(self):
        code, out, err = self.run_main(symbol("Migration", comment="The migration."), symbol("Migration", "hash(into:)"))
        self.assertEqual((code, out, err), (0, "2 public symbols, 0 without documentation\n", ""))

    def test_undocumented(self):
        code, _, err = self.run_main(symbol("Migration", "run()", line=36))
        self.assertEqual(code, 1)
        self.assertEqual(err, "Sources/Godwit/Migration.swift:37: Migration.run() is public and has no documentation\n")

    def test_nothing(self):
        self.assertEqual(self.run_main()[0], 1)


if __name__ == "__main__":
    unittest.main()
