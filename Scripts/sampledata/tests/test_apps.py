"""What every sample app comes with."""

import unittest

from sampledata.apps import APPS
from sampledata.command import REPOSITORY

SAMPLES = REPOSITORY / "SampleData"


class AppTests(unittest.TestCase):
    def test_every_folder_is_that_of_an_app_that_the_scripts_make(self):
        self.assertEqual({path.name for path in SAMPLES.iterdir() if path.is_dir()}, APPS.keys())

    def test_every_app_has_manifest_page_sources_and_schema_files(self):
        for app in APPS:
            with self.subTest(app):
                for name in ("godwit.yaml", "README.md", "source", "container"):
                    self.assertTrue((SAMPLES / app / name).exists(), name)
                self.assertTrue(list((REPOSITORY / "Migrations" / app).glob("V0001__*.sql")))

    def test_every_container_has_its_expectation_and_its_line_on_the_page(self):
        for app in APPS:
            page = (SAMPLES / app / "README.md").read_text(encoding="utf-8")
            names = [path.name for path in (SAMPLES / app / "scenarios").iterdir()]
            self.assertGreaterEqual(len(names), 2)
            for name in ["container", *names]:
                with self.subTest(app=app, name=name):
                    self.assertTrue((SAMPLES / app / "expected" / name / "expectation.json").is_file())
                    self.assertIn("`container/`" if name == "container" else f"`scenarios/{name}/container/`", page)

    def test_the_names_in_the_data_are_reserved_for_examples(self):
        for path in SAMPLES.glob("*/source/**/*"):
            if path.suffix in (".csv", ".json"):
                text = path.read_text(encoding="utf-8")
                for scheme in ("http://", "https://"):
                    for rest in text.split(scheme)[1:]:
                        host = rest.split("/")[0].split('"')[0]
                        with self.subTest(path=path, host=host):
                            self.assertRegex(host, r"(^|\.)example\.(com|org|net)$")


if __name__ == "__main__":
    unittest.main()
