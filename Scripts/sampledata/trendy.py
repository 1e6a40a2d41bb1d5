"""Trendy, a counter of everyday events: which files its sample containers hold and what each is made of."""

from .sample import Sample

PREFERENCES = "Library/Preferences/com.example.trendy.plist"
LOCAL = "Library/Application Support/Trendy.store"
CLOUD = "Library/Application Support/TrendyCloud.store"
SYNC_EVENTS = "Library/Application Support/sync-events.jsonl"

V0001 = ["V0001__create_store.sql"]
V0002 = V0001 + ["V0002__geofences.sql"]
V0003 = V0002 + ["V0003__settings_and_pins.sql"]

DIARY = {
    "EventType": "phone/EventType.csv",
    "Geofence": "phone/Geofence.csv",
    "Event": "phone/Event.csv",
}


def build(sample: Sample) -> None:
    """Adds every container of the app."""
    build_container(sample, "container")
    build_lost_type(sample, "scenarios/lost-type/container")
    build_two_devices(sample, "scenarios/two-devices/container")


def build_container(sample: Sample, root: str) -> None:
    """First launch after the update; the preferences hold the last ten syncs with the service that is given up."""
    sample.property_list(f"{root}/{PREFERENCES}", "phone/preferences.json")
    sample.store(f"{root}/{LOCAL}", V0002, DIARY)


def build_lost_type(sample: Sample, root: str) -> None:
    """A fault of an old release: a type was deleted, and two of its events stayed."""
    sample.property_list(f"{root}/{PREFERENCES}", "lost-type/preferences.json")
    tables = {table: f"lost-type/{table}.csv" for table in ("EventType", "Event")}
    sample.store(f"{root}/{LOCAL}", V0001, tables)


def build_two_devices(sample: Sample, root: str) -> None:
    """The same phone, but a tablet has been filling the cloud store, and its sync left a log on this phone."""
    sample.property_list(f"{root}/{PREFERENCES}", "two-devices/preferences.json")
    sample.text(f"{root}/{SYNC_EVENTS}", "two-devices/sync-events.jsonl")
    sample.store(f"{root}/{LOCAL}", V0002, DIARY)
    tables = ("EventType", "Geofence", "Event", "PinnedType", "TrendySettings")
    sample.store(f"{root}/{CLOUD}", V0003, {table: f"two-devices/cloud/{table}.csv" for table in tables})
