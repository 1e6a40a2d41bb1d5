"""Deets, a box of business cards: which files its sample containers hold and what each is made of."""

from .sample import Sample

PREFERENCES = "Library/Preferences/com.example.deets.plist"
LOCAL = "Library/Application Support/Deets.store"
CLOUD = "Library/Application Support/DeetsCloud.store"

V0001 = ["V0001__create_store.sql"]
V0002 = V0001 + ["V0002__settings_and_favorites.sql"]

BOX = {"Card": "phone/Card.csv", "Encounter": "phone/Encounter.csv"}


def build(sample: Sample) -> None:
    """Adds every container of the app."""
    build_container(sample, "container")
    build_no_preferences(sample, "scenarios/no-preferences/container")
    build_two_devices(sample, "scenarios/two-devices/container")


def build_container(sample: Sample, root: str) -> None:
    """First launch after the update: preferences in XML, favourites in a keyed archive, one card restored twice."""
    sample.property_list(f"{root}/{PREFERENCES}", "phone/preferences.json", xml=True)
    sample.store(f"{root}/{LOCAL}", V0001, BOX)


def build_no_preferences(sample: Sample, root: str) -> None:
    """A restored backup without preferences: it has cards and no choices."""
    sample.placeholder(f"{root}/Library/Preferences")
    sample.store(f"{root}/{LOCAL}", V0001, BOX)


def build_two_devices(sample: Sample, root: str) -> None:
    """The same phone, but a tablet has been filling the cloud store: some cards were edited on both."""
    sample.property_list(f"{root}/{PREFERENCES}", "phone/preferences.json", xml=True)
    sample.store(f"{root}/{LOCAL}", V0001, BOX)
    tables = ("Card", "Encounter", "FavoriteCard", "DeetsSettings")
    sample.store(f"{root}/{CLOUD}", V0002, {table: f"two-devices/cloud/{table}.csv" for table in tables})
