"""TrainLog, a workout diary: which files its sample containers hold and what each is made of."""

from .coredata_entities import Attribute, Entity, Kind, Relation
from .sample import Sample

PREFERENCES = "Library/Preferences/com.example.trainlog.plist"
LOCAL = "Library/Application Support/TrainLog.store"
SWIFT_DATA = "Library/Application Support/default.store"
CLOUD = "Library/Application Support/TrainLogCloud.store"

V0001 = ["V0001__create_store.sql"]
V0002 = V0001 + ["V0002__settings_and_favorites.sql"]

DIARY = {
    "Workout": "phone/Workout.csv",
    "ExerciseSet": "phone/ExerciseSet.csv",
}


# The classes of the release that kept the diary with SwiftData.
CLASSES = (
    Entity(
        "ExerciseSet",
        1,
        "id",
        (
            Attribute("createdAt", Kind.DATE, "createdAt"),
            Attribute("exerciseId", Kind.STRING, "exerciseId"),
            Attribute("id", Kind.UUID, "id"),
            Attribute("isWarmup", Kind.BOOLEAN, "isWarmup"),
            Attribute("position", Kind.INTEGER, "position"),
            Attribute("reps", Kind.INTEGER, "reps", is_optional=True),
            Attribute("updatedAt", Kind.DATE, "updatedAt"),
            Attribute("weightKg", Kind.DOUBLE, "weightKg", is_optional=True),
        ),
        (Relation("workout", "Workout", "sets", "workoutId"),),
    ),
    Entity(
        "Workout",
        2,
        "id",
        (
            Attribute("createdAt", Kind.DATE, "createdAt"),
            Attribute("durationSeconds", Kind.INTEGER, "durationSeconds", is_optional=True),
            Attribute("id", Kind.UUID, "id"),
            Attribute("notes", Kind.STRING, "notes", is_optional=True),
            Attribute("startedAt", Kind.DATE, "startedAt"),
            Attribute("title", Kind.STRING, "title"),
            Attribute("updatedAt", Kind.DATE, "updatedAt"),
        ),
        (Relation("sets", "ExerciseSet", "workout"),),
    ),
)


def build(sample: Sample) -> None:
    """Adds every container of the app."""
    build_container(sample, "container")
    build_swift_data(sample, "container-swiftdata")
    build_two_devices(sample, "scenarios/two-devices/container")
    build_interrupted(sample, "scenarios/interrupted/container")
    build_empty(sample, "scenarios/empty/container")


def build_container(sample: Sample, root: str) -> None:
    """First launch after the update: old preferences, the old store, no cloud store yet."""
    sample.property_list(f"{root}/{PREFERENCES}", "phone/preferences.json")
    sample.store(f"{root}/{LOCAL}", V0001, DIARY)


def build_swift_data(sample: Sample, root: str) -> None:
    """The same diary and preferences, left by a release that kept the diary with SwiftData."""
    sample.property_list(f"{root}/{PREFERENCES}", "phone/preferences.json")
    sample.core_data_store(f"{root}/{SWIFT_DATA}", V0001, DIARY, CLASSES)


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
