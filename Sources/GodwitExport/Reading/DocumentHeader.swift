package import GodwitModel
package import GodwitSQLite

/// What a document says of itself before its records, as far as a restore asks.
package struct DocumentHeader: Sendable, Equatable {
    package var formatVersion = 0
    package var layout = ExportLayout.document
    package var app = ""
    package var schemaVersion = 0
    package var exportedAt = Instant.epoch
    package var exportId = ""
    /// The migration the exported store stood at; nil where it had no history.
    package var schemaMigration: Int?
    /// What the app noted in the store's own header.
    package var marks = StoreMarks()
    /// The store that was exported; nil in a document that does not say.
    package var store: StoreRole?
    /// The CloudKit environment of the exported store; nil where it was not known.
    package var environment: CloudEnvironment?
    /// Opaque: equal values mean equal content.
    ///
    /// Nil in a document that some other program wrote without it.
    package var contentVersion: String?
    /// The names of the entities that were asked for; nil where all were.
    package var selection: [String]?
    /// The export that this one only says the differences from; nil where it holds everything.
    package var since: DocumentOrigin?
    /// How stale it said it might be when it was made; nil where it says nothing that can be read.
    package var freshness: Freshness?
    /// The entities, where they stand in the header: in JSON lines.
    package var entities: [DocumentEntity] = []

    /// The version of the format that this reader understands.
    package static let readerVersion: Int64 = 1
}

/// An export as another one names it.
package struct DocumentOrigin: Sendable, Equatable {
    package let exportId: String
    package let exportedAt: Instant
    /// What it holds, by the content version of its source.
    package let contentVersion: String

    package init(exportId: String, exportedAt: Instant, contentVersion: String) {
        (self.exportId, self.exportedAt, self.contentVersion) = (exportId, exportedAt, contentVersion)
    }
}

/// A header while it is read, member by member.
struct HeaderReading {
    private(set) var header = DocumentHeader()
    private var seen: Set<String> = []
    private static let required = [
        "format", "formatVersion", "minReaderVersion", "app", "schemaVersion", "exportedAt", "exportId", "source",
    ]

    /// Whether a member of this name is one that must stand before the records.
    static func knows(_ name: String) -> Bool {
        required.contains(name) || ["layout", "selection", "since"].contains(name)
    }

    /// Adds the entities of a header line.
    mutating func announce(_ entities: [DocumentEntity]) { header.entities = entities }

    /// Takes a member over; one that this version does not know is left alone: it may be of a later version that says
    /// with `minReaderVersion` that this reader can do without.
    mutating func take(_ name: String, _ value: DocumentNode, _ window: borrowing ReadingWindow) throws(GodwitError) {
        seen.insert(name)
        switch name {
        case "format":
            guard value.text == "godwit-export" else { throw Self.foreign(window) }
        case "formatVersion": header.formatVersion = try Self.version(value, name, window)
        case "minReaderVersion": try Self.check(reader: try Self.version(value, name, window), window)
        case "layout": header.layout = try Self.layout(value, window)
        case "app": header.app = try Self.text(value, name, window)
        case "schemaVersion": header.schemaVersion = try Self.version(value, name, window)
        case "exportedAt":
            guard let instant = Instant(iso8601: try Self.text(value, name, window)) else {
                throw Self.wrong(name, window)
            }
            header.exportedAt = instant
        case "exportId": header.exportId = try Self.text(value, name, window)
        case "source":
            header.schemaMigration = try Self.migration(value, window)
            header.contentVersion = value["contentVersion"]?.text
            header.store = value["store"]?.text.flatMap { StoreRole(rawValue: $0) }
            header.environment = try Self.environment(value, window)
            header.marks = StoreMarks(
                userVersion: try Self.mark("userVersion", of: value, window),
                applicationID: try Self.mark("applicationId", of: value, window))
        case "selection":
            guard let names = value.elements?.map(\.text), !names.isEmpty, names.allSatisfy({ $0 != nil }) else {
                throw Self.wrong(name, window)
            }
            header.selection = names.compactMap(\.self)
        case "since": header.since = try Self.origin(value, window)
        case "freshness":
            guard value.members != nil else { throw Self.wrong(name, window) }
            header.freshness = Freshness(value)
        case "generator":
            guard value.members != nil else { throw Self.wrong(name, window) }
        default: break
        }
    }

    /// Throws where something is missing that must stand before the records.
    func requireComplete(_ window: borrowing ReadingWindow) throws(GodwitError) {
        guard seen.contains("format") else { throw Self.foreign(window) }
        for name in Self.required where !seen.contains(name) {
            throw window.damage("'\(name)' is missing before the entities")
        }
    }

    private static func foreign(_ window: borrowing ReadingWindow) -> GodwitError {
        GodwitError(
            window.stage, .data, "\(window.name) is no export of Godwit: its format is not 'godwit-export'.",
            hint: "Name a document that `godwit export` wrote.")
    }

    private static func wrong(_ name: String, _ window: borrowing ReadingWindow) -> GodwitError {
        window.damage("'\(name)' has a value of the wrong type")
    }

    private static func text(
        _ value: DocumentNode, _ name: String, _ window: borrowing ReadingWindow
    ) throws(GodwitError) -> String {
        guard let text = value.text else { throw wrong(name, window) }
        return text
    }

    private static func version(
        _ value: DocumentNode, _ name: String, _ window: borrowing ReadingWindow
    ) throws(GodwitError) -> Int {
        guard let number = value.integer, number >= 0, number < 1 << 31 else { throw wrong(name, window) }
        return Int(number)
    }

    private static func check(reader wanted: Int, _ window: borrowing ReadingWindow) throws(GodwitError) {
        guard wanted > DocumentHeader.readerVersion else { return }
        throw GodwitError(
            window.stage, .data,
            "\(window.name) needs a reader of version \(wanted); this is version \(DocumentHeader.readerVersion).",
            hint: "Use the Godwit that wrote it, or a later one.")
    }

    private static func origin(
        _ value: DocumentNode, _ window: borrowing ReadingWindow
    ) throws(GodwitError) -> DocumentOrigin {
        guard let identifier = value["exportId"]?.text, let version = value["contentVersion"]?.text,
            let date = value["exportedAt"]?.text.flatMap({ Instant(iso8601: $0) })
        else { throw wrong("since", window) }
        return DocumentOrigin(exportId: identifier, exportedAt: date, contentVersion: version)
    }

    private static func layout(
        _ value: DocumentNode, _ window: borrowing ReadingWindow
    ) throws(GodwitError) -> ExportLayout {
        // A document does not name its layout.
        guard try text(value, "layout", window).utf8.elementsEqual("lines".utf8) else {
            throw window.damage("its layout is none of version 1")
        }
        return .lines
    }

    private static func environment(
        _ source: DocumentNode, _ window: borrowing ReadingWindow
    ) throws(GodwitError) -> CloudEnvironment? {
        guard let value = source["environment"] else { return nil }
        guard let environment = value.text.flatMap({ CloudEnvironment(rawValue: $0) }) else {
            throw wrong("environment", window)
        }
        return environment
    }

    private static func mark(
        _ name: String, of source: DocumentNode, _ window: borrowing ReadingWindow
    ) throws(GodwitError) -> Int32 {
        guard let value = source[name] else { return 0 }
        guard let number = value.integer, let mark = Int32(exactly: number) else { throw wrong(name, window) }
        return mark
    }

    private static func migration(
        _ value: DocumentNode, _ window: borrowing ReadingWindow
    ) throws(GodwitError) -> Int? {
        guard value.members != nil, let migration = value["schemaMigration"] else { throw wrong("source", window) }
        return migration.isNull ? nil : try version(migration, "schemaMigration", window)
    }
}
