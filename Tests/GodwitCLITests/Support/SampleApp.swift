/// An entity of a sample app, and the rule that selects one of two records with one key.
///
/// It repeats the manifest's rules on purpose, so that a test does not depend on what it tests.
struct SampleEntity: Sendable {
    let table: String
    let key: String
    /// An SQL expression: a number that grows with the record's date; NULL if there is no date.
    let date: String
    var rule = Rule.newest
    /// The key of the only record.
    var singleton: String?
    /// Whether its local records come from the preferences, so that there are none before a run.
    var isFromPreferences = false

    /// The record that is kept.
    enum Rule: Sendable { case newest, earliest, cloud, local }
}

struct SampleApp: Sendable {
    /// The name of its folders.
    let name: String
    /// The first file gets the flag.
    let preferences: [String]
    let local: String
    let cloud: String
    let entities: [SampleEntity]

    static let luego = SampleApp(
        name: "luego",
        preferences: [
            "Library/Preferences/com.example.luego.plist", "Library/Preferences/com.example.luego.reader.plist",
        ],
        local: "Library/Application Support/Luego.store", cloud: "Library/Application Support/LuegoCloud.store",
        entities: [
            SampleEntity(table: "Article", key: "url", date: "julianday(updatedAt)"),
            SampleEntity(table: "Highlight", key: "id", date: "julianday(updatedAt)"),
            SampleEntity(
                table: "ReadMark", key: "url", date: "julianday(readAt)", rule: .earliest, isFromPreferences: true),
            SampleEntity(
                table: "ReaderSettings", key: "id", date: "julianday(updatedAt)", singleton: "reader",
                isFromPreferences: true),
        ])

    static let trendy = SampleApp(
        name: "trendy", preferences: ["Library/Preferences/com.example.trendy.plist"],
        local: "Library/Application Support/Trendy.store", cloud: "Library/Application Support/TrendyCloud.store",
        entities: [
            SampleEntity(table: "EventType", key: "id", date: "updatedAt", rule: .cloud),
            SampleEntity(table: "Geofence", key: "id", date: "updatedAt", rule: .local),
            SampleEntity(table: "Event", key: "id", date: "updatedAt"),
            SampleEntity(
                table: "PinnedType", key: "eventTypeId", date: "pinnedAt", rule: .earliest, isFromPreferences: true),
            SampleEntity(
                table: "TrendySettings", key: "id", date: "updatedAt", singleton: "settings", isFromPreferences: true),
        ])

    static let deets = SampleApp(
        name: "deets", preferences: ["Library/Preferences/com.example.deets.plist"],
        local: "Library/Application Support/Deets.store", cloud: "Library/Application Support/DeetsCloud.store",
        entities: [
            SampleEntity(table: "Card", key: "id", date: "dateModified"),
            SampleEntity(table: "Encounter", key: "id", date: "dateModified"),
            SampleEntity(
                table: "FavoriteCard", key: "cardId", date: "dateModified", rule: .earliest, isFromPreferences: true),
            SampleEntity(
                table: "DeetsSettings", key: "id", date: "dateModified", singleton: "box", isFromPreferences: true),
        ])
}
