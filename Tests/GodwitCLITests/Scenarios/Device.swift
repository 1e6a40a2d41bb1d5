import GodwitModel
import Foundation
import GodwitTestSupport
import Testing

final class Device {
    static let entities = ["Workout", "ExerciseSet", "FavoriteExercise", "UserSettings"]
    static let signedIn = ["--account", "available", "--network", "online"]

    let scene: Scene

    /// A device with a sample container that is not migrated yet.
    init(_ sample: Scene.Sample = .container) throws { scene = try Scene(sample) }

    /// A device after the migration.
    static func migrated(_ sample: Scene.Sample = .container) throws -> Device {
        let device = try Device(sample)
        let finished = try device.run()
        try #require(finished.code == 0, "\(finished.errorText)")
        return device
    }

    @discardableResult
    func run(_ more: String...) throws -> Invocation.Finished {
        try scene.start(["run", "-q"] + Self.signedIn + more).finish()
    }

    // MARK: What Godwit says of it

    func status(_ more: String...) throws -> JSONValue {
        let finished = try scene.start(["status", "--json"] + (more.isEmpty ? Self.signedIn : more)).finish()
        #expect(finished.code == 0, "\(finished.errorText)")
        return try finished.json()
    }

    /// A complete export.
    func export(_ more: String...) throws -> JSONValue {
        let finished = try scene.start(["export", "-q"] + (more.isEmpty ? Self.signedIn : more)).finish()
        #expect(finished.code == 0, "\(finished.errorText)")
        return try finished.json()
    }

    // MARK: What the app and the system do on it

    /// Appends to the events that the app writes.
    func log(_ events: String...) throws {
        let name = scene.inFolder(StatusTests.events)
        let earlier = scene.folder.exists(name) ? try scene.folder.text(of: name) : ""
        try scene.folder.write(earlier + events.map { $0 + "\n" }.joined(), to: name)
    }

    /// An event that ended 20 seconds after the full minute, at 05:`minute` on the day of the tests.
    static func event(_ type: String, minute: Int, error code: Int? = nil, isOver: Bool = true) -> String {
        let error = code.map { #"{"domain":"CKErrorDomain","code":\#($0)}"# } ?? "null"
        let day = "2026-11-21T05:\(minute < 10 ? "0" : "")\(minute)"
        return """
            {"type":"\(type)","startedAt":"\(day):00Z","endedAt":\(isOver ? "\"\(day):20Z\"" : "null"),\
            "succeeded":\(isOver && code == nil),"error":\(error)}
            """
    }

    /// Writes to one of the stores as the app.
    func write(_ store: String, _ sql: String) throws {
        let opened = try scene.open(store)
        try opened.execute(sql)
        try opened.close()
    }

    // MARK: What is in its stores

    /// All records of a store by entity, with the columns in the table's order, sorted.
    func records(_ store: String) throws -> [String: [[Value]]] {
        let opened = try scene.open(store)
        defer { try? opened.close() }
        var records: [String: [[Value]]] = [:]
        for entity in Self.entities {
            let isThere = try opened.integer("SELECT count(*) FROM sqlite_schema WHERE name = '\(entity)'") > 0
            let rows = isThere ? try opened.rows("SELECT * FROM \(entity)") : []
            // Making the text of a row takes far longer than a comparison, so it is made once.
            records[entity] = rows.map { (text: "\($0)", row: $0) }.sorted { $0.text < $1.text }.map(\.row)
        }
        return records
    }

    func cloud() throws -> [String: [[Value]]] { try records(Scene.cloud) }

    func local() throws -> [String: [[Value]]] { try records(Scene.local) }

    func bytes(_ name: String) throws -> [UInt8] { try scene.folder.bytes(of: scene.inFolder(name)) }
}

extension JSONValue {
    /// The reasons in an export's freshness.
    var reasons: [String] { self["freshness", "reasons"]?.items.compactMap { $0["code"]?.string } ?? [] }

    func exported(_ entity: String) -> [JSONValue] {
        self["entities"]?.items.first { $0["name"]?.string == entity }?["records"]?.items ?? []
    }

    func keys(_ entity: String, _ column: String = "id") -> [String] {
        exported(entity).compactMap { $0[column]?.string }
    }
}
