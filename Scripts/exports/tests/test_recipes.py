"""Recipes: read off a page, run in its order, compared with what the page says."""

from __future__ import annotations

import contextlib
import io
import tempfile
import unittest
from pathlib import Path

from ..recipes import PAGES, Kitchen, check, main, read

GOOD = """# Page

```sh
printf 'one\\ntwo\\n' > made
```

Text.

<!-- needs: cat -->
```sh
cat made
```

```text
one
two
```

```json
{"no": "recipe"}
```
"""


class RecipeTests(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def check(self, page: str, updates: bool = False) -> tuple[int, str, str]:
        """Runs the recipes of a page; also returns what was printed, and the errors."""
        output, errors = io.StringIO(), io.StringIO()
        path = self.folder / "page.md"
        path.write_text(page)
        folder = self.folder / f"run-{len(list(self.folder.iterdir()))}"
        folder.mkdir()
        with contextlib.redirect_stdout(output), contextlib.redirect_stderr(errors):
            status = check(Kitchen(folder, Path("/bin/echo")), path, updates)
        return status, output.getvalue(), errors.getvalue()

    def test_blocks_are_read_with_what_they_need_and_print(self) -> None:
        first, second = read(GOOD)
        self.assertEqual((first.line, first.needs, first.output), (3, [], ""))
        self.assertEqual((second.needs, second.commands, second.output), (["cat"], "cat made\n", "one\ntwo\n"))

    def test_a_page_that_is_right(self) -> None:
        self.assertEqual(self.check(GOOD), (0, "check-recipes: page.md: 2 of 2 recipes ran, 0 wrong\n", ""))

    def test_other_output_is_found(self) -> None:
        for page in (GOOD.replace("one\ntwo\n```", "one\nthree\n```"), GOOD.replace("> made", "| tee made")):
            status, output, _ = self.check(page)
            self.assertEqual(status, 1)
            self.assertIn("prints something else", output)
            self.assertIn("+two", output)

    def test_a_command_that_fails_is_found_even_in_the_middle(self) -> None:
        for commands in ("false\ncat made", "false | cat made", "cat $unset made"):
            status, output, _ = self.check(GOOD.replace("cat made", commands))
            self.assertEqual(status, 1, commands)
            self.assertIn("ends with 1", output)

    def test_what_lacks_its_tool_is_skipped_and_said(self) -> None:
        for need in ("no-such-command", "python3 no_such_package"):
            status, output, errors = self.check(GOOD.replace("needs: cat", f"needs: {need}"))
            self.assertEqual((status, output), (0, "check-recipes: page.md: 1 of 2 recipes ran, 0 wrong\n"))
            self.assertEqual(errors, f"SKIPPED: the recipe of page.md:10 needs {need}.\n")

    def test_a_page_without_recipes_is_wrong(self) -> None:
        self.assertEqual(self.check("# Page\n")[0], 1)

    def test_godwit_is_the_build_that_is_named(self) -> None:
        commands = 'godwit export; test -z "${GODWIT_MANIFEST-}"; ls -d SampleData/trainlog'
        page = f"```sh\n{commands}\n```\n\n```text\nexport\nSampleData/trainlog\n```\n"
        self.assertEqual(self.check(page)[:2], (0, "check-recipes: page.md: 1 of 1 recipes ran, 0 wrong\n"))

    def test_an_update_writes_what_was_printed(self) -> None:
        page = self.folder / "page.md"
        old = GOOD.replace("one\ntwo\n```", "old\n```").replace("> made", "| tee made")
        self.assertEqual(self.check(old, updates=True)[0], 0)
        new = page.read_text()
        self.assertEqual(new, GOOD.replace("> made\n```\n", "| tee made\n```\n\n```text\none\ntwo\n```\n"))
        self.assertEqual(self.check(new)[0], 0)

    def test_a_variable_that_is_exported_is_there_for_later_recipes_and_how_long_something_took_is_not_compared(self) -> None:
        page = "```sh\nexport name=made\n```\n\n```sh\necho $name in 12 ms\n```\n\n```text\nmade in 7 ms\n```\n"
        self.assertEqual(self.check(page)[0], 0)

    def test_the_pages_of_the_project_have_recipes_with_output(self) -> None:
        for page in PAGES:
            recipes = read(page.read_text(encoding="utf-8"))
            self.assertGreaterEqual(sum(bool(recipe.output) for recipe in recipes), 3, page.name)
        needs = {need for recipe in recipes for need in recipe.needs}
        self.assertLessEqual({"jq", "sqlite-utils", "python3 duckdb"}, needs)

    def test_a_build_must_be_named(self) -> None:
        with contextlib.redirect_stderr(io.StringIO()), self.assertRaises(SystemExit):
            main([])


if __name__ == "__main__":
    unittest.main()
