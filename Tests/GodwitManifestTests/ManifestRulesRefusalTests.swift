import GodwitModel
import Testing

struct ManifestRulesRefusalTests {
    private static let setting = "- key: weightUnit\n      into: UserSettings.weightUnitRaw"
    private static let favorite = "- key: favoriteExercises\n      into: FavoriteExercise.exerciseId"
    private static let copy = "copy: { flag: cloudMigrationDone }"
    private static let values = "values: { kg: kg, lb: lb, pounds: lb }"
    private static let freshness = "freshness: { warnAfter: 12h, errorAfter: 48h }"

    @Test(
        "an invalid setting rule is rejected",
        arguments: [
            BadPiece(setting, "- §into: UserSettings.weightUnitRaw", "missing key `key`", "`legacy.settings[0]`"),
            BadPiece(setting, "- §key: weightUnit", "missing key `into`"),
            BadPiece(setting, "- key: §\"\"\n      into: UserSettings.theme", "is empty"),
            BadPiece(setting, "- key: §5\n      into: UserSettings.theme", "must be text"),
            BadPiece(setting, "- key: a\n      into: §UserSettings", "`Entity.column`"),
            BadPiece(setting, "- key: a\n      into: §.theme", "`Entity.column`"),
            BadPiece(setting, "- key: a\n      into: §UserSettings.", "`Entity.column`"),
            BadPiece(
                setting, "- key: a\n      into: §UserSetting.theme", "not an entity of this manifest",
                "Did you mean `UserSettings`?"),
            BadPiece(
                setting, "- key: a\n      into: §Plan.theme", "not an entity of this manifest", "Add it to `entities`"),
            BadPiece(setting, "- key: a\n      into: §Workout.title", "not a singleton"),
            BadPiece(setting, "- key: a\n      into: §UserSettings.ID", "identifies or dates"),
            BadPiece(setting, "- key: a\n      into: §UserSettings.updatedAt", "identifies or dates"),
            BadPiece(setting, "- key: a\n      into: §UserSettings.godwit_x", "reserved"),
            BadPiece(setting, "\(setting)\n      §vales: { a: b }", "Did you mean `values`?"),
            BadPiece(
                setting, "- §weightUnit\n    - key: w\n      into: UserSettings.weightUnitRaw", "must be a mapping"),
            BadPiece(
                setting,
                "- key: a\n      into: UserSettings.weightUnitRaw\n    - key: b\n      into: §UserSettings.WeightUnitRaw",
                "already filled from `a`"),
            BadPiece(
                setting,
                "- key: a\n      into: UserSettings.theme\n    - key: §a\n      into: UserSettings.weightUnitRaw",
                "used twice", "line 17"),
            BadPiece(values, "values: §{}", "it would accept no value"),
            BadPiece(values, "values: §[kg, lb]", "must be a mapping"),
            BadPiece(values, "values: { kg: §~ }", "nothing"),
            BadPiece(values, "values: { kg: §[kg] }", "a list"),
            BadPiece(values, "values: { kg: §99999999999999999999 }", "does not fit into 64 bits"),
            BadPiece(values, "values: { kg: §1e999 }", "does not fit"),
            BadPiece(values, "values: { §null: kg }", "text, a number or a boolean"),
            BadPiece(values, "values: { §99999999999999999999: kg }", "text, a number or a boolean"),
            BadPiece(values, "values: { 1: a, §0x1: b }", "the same as an earlier one"),
            BadPiece(values, "values: { true: a, §\"true\": b }", "given twice"),
            BadPiece(values, "values: { true: a, §True: b }", "the same as an earlier one"),
            BadPiece("default: kg", "default: §null", "nothing"),
            BadPiece("default: kg", "default: §{ a: b }", "a mapping"),
            BadPiece("default: kg", "default: §9223372036854775808", "does not fit"),
            BadPiece("default: kg", "default: §-9223372036854775809", "does not fit"),
            BadPiece("default: kg", "default: §0xFFFFFFFFFFFFFFFF", "does not fit"),
            BadPiece("default: kg", "default: §.nan", "does not fit"),
        ])
    func settings(bad: BadPiece) throws { try bad.check() }

    @Test(
        "an invalid favorites rule or localOnly key is rejected",
        arguments: [
            BadPiece(favorite, "- key: f\n      into: §FavoriteExercise.createdAt", "into the key", "exerciseId"),
            BadPiece(favorite, "- key: f\n      into: §UserSettings.id", "is a singleton"),
            BadPiece(favorite, "- key: f\n      into: §Favorite.exerciseId", "not an entity of this manifest"),
            BadPiece(favorite, "\(favorite)\n      encoding: §xml", "can't be `xml`", "`keyedArchive`"),
            BadPiece(favorite, "\(favorite)\n      encoding: §Array", "Did you mean `array`?"),
            BadPiece(favorite, "\(favorite)\n      mode: §append", "`merge`"),
            BadPiece(favorite, "\(favorite)\n      §default: x", "unknown key `default`"),
            BadPiece(favorite, "- key: §weightUnit\n      into: FavoriteExercise.exerciseId", "used twice"),
            BadPiece("localOnly: [hasSeenTutorial]", "localOnly: §hasSeenTutorial", "must be a list"),
            BadPiece("localOnly: [hasSeenTutorial]", "localOnly: [§weightUnit]", "used twice"),
            BadPiece("localOnly: [hasSeenTutorial]", "localOnly: [a, b, §a]", "used twice"),
            BadPiece("localOnly: [hasSeenTutorial]", "localOnly: [§[a]]", "`legacy.localOnly[0]` must be text"),
            BadPiece("localOnly: [hasSeenTutorial]", "localOnly: [§true]", "must be text", "quotes"),
            BadPiece("localOnly: [hasSeenTutorial]", "§localonly: [a]", "Did you mean `localOnly`?"),
            BadPiece("localOnly: [hasSeenTutorial]", "localOnly:§", "must be a list", "nothing"),
        ])
    func favorites(bad: BadPiece) throws { try bad.check() }

    @Test(
        "an invalid copy, export or history section is rejected",
        arguments: [
            BadPiece(copy, "copy: { flag: §\"\" }", "is empty"),
            BadPiece(copy, "copy: { flag: §true }", "must be text"),
            BadPiece(copy, "copy: { flag: §hasSeenTutorial }", "also a legacy key", "another name"),
            BadPiece(copy, "copy: { flag: §weightUnit }", "also a legacy key"),
            BadPiece(copy, "copy: §done", "must be a mapping"),
            BadPiece(copy, "copy: { §flags: x }", "Did you mean `flag`?"),
            BadPiece("schemaVersion: 1", "schemaVersion: §0", "out of range", "1 to 2147483647"),
            BadPiece("schemaVersion: 1", "schemaVersion: §1.5", "whole number", "a real number"),
            BadPiece("schemaVersion: 1", "schemaVersion: §\"1\"", "whole number", "text"),
            BadPiece(freshness, "freshness: { warnAfter: §12 }", "not a duration", "`12h`"),
            BadPiece(freshness, "freshness: { warnAfter: §12 hours }", "not a duration"),
            BadPiece(freshness, "freshness: { errorAfter: §-1h }", "not a duration"),
            BadPiece(freshness, "freshness: { errorAfter: §~ }", "not a duration"),
            BadPiece(freshness, "freshness: { warnAfter: §3d, errorAfter: 48h }", "longer than `errorAfter`"),
            BadPiece(freshness, "freshness: { §warn: 3d }", "unknown key `warn`", "`warnAfter`"),
            BadPiece(freshness, "freshness: §48h", "must be a mapping"),
            BadPiece("keep: 10", "keep: §0", "out of range", "1 to 10000"),
            BadPiece("keep: 10", "keep: §10001", "out of range"),
            BadPiece("keep: 10", "keep: §99999999999999999999", "whole number", "a number out of range"),
            BadPiece("keep: 10", "keep: §ten", "whole number"),
        ])
    func output(bad: BadPiece) throws { try bad.check() }

    @Test("the default name of the completion flag cannot be a legacy key")
    func defaultFlag() throws {
        let text = try ManifestSamples.trainLog(
            "localOnly: [hasSeenTutorial]               # stays where it is, by intent\n\(Self.copy)",
            "localOnly: [cloudMigrationDone]")
        try expectRefusal("§" + text, ["`cloudMigrationDone` is also a legacy key"])
    }
}
