"""TrainLog, a workout diary: which files its sample containers hold and what each is made of."""

from .sample import Sample

PREFERENCES = "Library/Preferences/com.example.trainlog.plist"
LOCAL = "Library/Application Support/TrainLog.store"
CLOUD = "Library/Application Support/TrainLogCloud.store"

V0001 = ["V0001__create_store.sql"]
V0002 = V0001 + ["V0002__settings_and_favorites.sql"]

DIARY = {
    "Workout": "phone/Workout.csv",
    "ExerciseSet": "phone/ExerciseSet.csv",
}


def build(sample: Sample) -> None:
    """Adds every container of the app."""
    build_container(sample, "container")
    build_two_devices(sample, "scenarios/two-devices/container")
    build_interrupted(sample, "scenarios/interrupted/container")
    build_empty(sample, "scenarios/empty/container")


def build_container(sample: Sample, root: str) -> None:
    """First launch after the update: old preferences, the old store, no cloud store yet."""
    sample.property_list(f"{root}/{PREFERENCES}", "phone/preferences.json")
    sample.store(f"{root}/{LOCAL}", V0001, DIARY)


def build_two_devices(sample: Sample, root: str) -> None:
    """The phone's data meets a cloud store that a tablet has been filling for weeks."""
    sample.property_list(f"{root}/{PREFERENCES}", "two-devices/phone/preferences.json")
    sample.store(
        f"{root}/{LOCAL}", V0002, {**DIARY, "UserSettings": "two-devices/phone/UserSettings.csv"}
    )
    sample.store(
        f"{root}/{CLOUD}",
        V0002,
        {
            table: f"two-devices/cloud/{table}.csv"
            for table in ("Workout", "ExerciseSet", "UserSettings", "FavoriteExercise")
        },
    )


def build_interrupted(sample: Sample, root: str) -> None:
    """A run was stopped after the copy's commit and before the flag: both stores are complete, the preferences are not."""
    sample.property_list(f"{root}/{PREFERENCES}", "phone/preferences.json")
    rows = {table: f"interrupted/{table}.csv" for table in ("UserSettings", "FavoriteExercise")}
    sample.store(f"{root}/{LOCAL}", V0002, {**DIARY, **rows}, extra=["interrupted/local-books.sql"])
    sample.store(f"{root}/{CLOUD}", V0002, {**DIARY, **rows}, extra=["interrupted/cloud-books.sql"])


def build_empty(sample: Sample, root: str) -> None:
    """A sandbox in which the app has never stored anything."""
    sample.placeholder(f"{root}/Library/Preferences")
    sample.placeholder(f"{root}/Library/Application Support")
