"""Luego, a list of articles to read later: which files its sample containers hold and what each is made of."""

from .sample import Sample

PREFERENCES = "Library/Preferences/com.example.luego.plist"
READER = "Library/Preferences/com.example.luego.reader.plist"
LOCAL = "Library/Application Support/Luego.store"
CLOUD = "Library/Application Support/LuegoCloud.store"

V0001 = ["V0001__create_store.sql"]
V0002 = V0001 + ["V0002__highlights.sql"]
V0003 = V0002 + ["V0003__settings_and_read_marks.sql"]

SHELF = {"Article": "phone/Article.csv", "Highlight": "phone/Highlight.csv"}


def build(sample: Sample) -> None:
    """Adds every container of the app."""
    build_container(sample, "container")
    build_old_release(sample, "scenarios/old-release/container")
    build_two_devices(sample, "scenarios/two-devices/container")


def build_container(sample: Sample, root: str) -> None:
    """First launch after the update: two preference suites, the store of release 1.4, some articles saved twice."""
    sample.property_list(f"{root}/{PREFERENCES}", "phone/preferences.json")
    sample.property_list(f"{root}/{READER}", "phone/reader.json")
    sample.store(f"{root}/{LOCAL}", V0002, SHELF)


def build_old_release(sample: Sample, root: str) -> None:
    """A user skipped a release: the store of 1.0 has no highlights, and its preferences are of an older form."""
    sample.property_list(f"{root}/{PREFERENCES}", "old-release/preferences.json")
    sample.store(f"{root}/{LOCAL}", V0001, {"Article": "old-release/Article.csv"})


def build_two_devices(sample: Sample, root: str) -> None:
    """The same phone, but a tablet has been filling the cloud store and saved some of the same articles."""
    sample.property_list(f"{root}/{PREFERENCES}", "phone/preferences.json")
    sample.property_list(f"{root}/{READER}", "phone/reader.json")
    sample.store(f"{root}/{LOCAL}", V0002, SHELF)
    tables = ("Article", "Highlight", "ReadMark", "ReaderSettings")
    sample.store(f"{root}/{CLOUD}", V0003, {table: f"two-devices/cloud/{table}.csv" for table in tables})
