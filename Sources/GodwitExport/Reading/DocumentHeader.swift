package import GodwitModel
package import GodwitSQLite

/// The header of a document, as far as a restore needs it.
package struct DocumentHeader: Sendable, Equatable {
    package var formatVersion = 0
    package var layout = ExportReport.Layout.document
    package var app = ""
    package var schemaVersion = 0
    package var exportedAt = Instant.epoch
    package var exportId = ""
    /// The migration of the exported store; nil if it had no migration history.
    package var schemaMigration: Int?
    /// The app's numbers in the store's own header.
    package var marks = StoreMarks()
    /// The exported store; nil if the document does not say.
    package var store: StoreRole?
    /// The CloudKit environment of the exported store; nil if unknown.
    package var environment: Manifest.Environment?
    /// Opaque; equal values mean equal content.
    ///
    /// Nil if another program wrote the document without it.
    package var contentVersion: String?
    /// The selected entities; nil for all.
    package var selection: [String]?
    /// The base of an increment; nil for a complete export.
    package var since: DocumentOrigin?
    /// The freshness when it was exported; nil if missing or unreadable.
    package var freshness: Freshness?
    /// Only in JSON Lines, whose header contains the entities.
    package var entities: [DocumentEntity] = []

    package static let readerVersion: Int64 = 1
}

/// A reference to another export.
package struct DocumentOrigin: Sendable, Equatable {
    package let exportId: String
    package let exportedAt: Instant
    package let contentVersion: String

    package init(exportId: String, exportedAt: Instant, contentVersion: String) {
        (self.exportId, self.exportedAt, self.contentVersion) = (exportId, exportedAt, contentVersion)
    }
}

/// A header that is being read, member by member.
struct HeaderReading {
    private(set) var header = DocumentHeader()
    private var seen: Set<String> = []
    private static let required = [
        "format", "formatVersion", "minReaderVersion", "app", "schemaVersion", "exportedAt", "exportId", "source",
    ]

    /// Whether a member of this name must come before the records.
    static func knows(_ name: String) -> Bool {
        required.contains(name) || ["layout", "selection", "since"].contains(name)
    }

    mutating func announce(_ entities: [DocumentEntity]) { header.entities = entities }

    /// Stores a member and ignores unknown ones: `minReaderVersion` says if this reader may do that.
    mutating func take(_ name: String, _ value: LegacyValue, _ window: borrowing ReadingWindow) throws(GodwitError) {
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
            guard value.pairs != nil else { throw Self.wrong(name, window) }
            header.freshness = Freshness(value)
        case "generator":
            guard value.pairs != nil else { throw Self.wrong(name, window) }
        default: break
        }
    }

    /// Throws if a required member is missing before the records.
    func requireComplete(_ window: borrowing ReadingWindow) throws(GodwitError) {
        guard seen.contains("format") else { throw Self.foreign(window) }
        for name in Self.required where !seen.contains(name) {
            throw window.damage("'\(name)' is missing before the entities")
        }
    }

    private static func foreign(_ window: borrowing ReadingWindow) -> GodwitError {
        GodwitError(
            window.stage, .data, "`\(window.name)` is not an export of Godwit: its format is not 'godwit-export'",
            hint: "Name an export that \(name: .export) wrote.")
    }

    private static func wrong(_ name: String, _ window: borrowing ReadingWindow) -> GodwitError {
        window.damage("'\(name)' has a value of the wrong type")
    }

    private static func text(
        _ value: LegacyValue, _ name: String, _ window: borrowing ReadingWindow
    ) throws(GodwitError) -> String {
        guard let text = value.text else { throw wrong(name, window) }
        return text
    }

    private static func version(
        _ value: LegacyValue, _ name: String, _ window: borrowing ReadingWindow
    ) throws(GodwitError) -> Int {
        guard let number = value.wholeNumber, number >= 0, number < 1 << 31 else { throw wrong(name, window) }
        return Int(number)
    }

    private static func check(reader wanted: Int, _ window: borrowing ReadingWindow) throws(GodwitError) {
        guard wanted > DocumentHeader.readerVersion else { return }
        throw GodwitError(
            window.stage, .data,
            "`\(window.name)` needs a reader of version \(wanted); this is version "
                + "\(DocumentHeader.readerVersion)",
            hint: "Use the Godwit that wrote it, or a later one.")
    }

    private static func origin(
        _ value: LegacyValue, _ window: borrowing ReadingWindow
    ) throws(GodwitError) -> DocumentOrigin {
        guard let identifier = value["exportId"]?.text, let version = value["contentVersion"]?.text,
            let date = value["exportedAt"]?.text.flatMap({ Instant(iso8601: $0) })
        else { throw wrong("since", window) }
        return DocumentOrigin(exportId: identifier, exportedAt: date, contentVersion: version)
    }

    private static func layout(
        _ value: LegacyValue, _ window: borrowing ReadingWindow
    ) throws(GodwitError) -> ExportReport.Layout {
        // Documents in the plain layout have no `layout` member.
        guard try text(value, "layout", window).utf8.elementsEqual("lines".utf8) else {
            throw window.damage("its layout is not one of version 1")
        }
        return .lines
    }

    private static func environment(
        _ source: LegacyValue, _ window: borrowing ReadingWindow
    ) throws(GodwitError) -> Manifest.Environment? {
        guard let value = source["environment"] else { return nil }
        guard let environment = value.text.flatMap({ Manifest.Environment(rawValue: $0) }) else {
            throw wrong("environment", window)
        }
        return environment
    }

    private static func mark(
        _ name: String, of source: LegacyValue, _ window: borrowing ReadingWindow
    ) throws(GodwitError) -> Int32 {
        guard let value = source[name] else { return 0 }
        guard let number = value.wholeNumber, let mark = Int32(exactly: number) else { throw wrong(name, window) }
        return mark
    }

    private static func migration(
        _ value: LegacyValue, _ window: borrowing ReadingWindow
    ) throws(GodwitError) -> Int? {
        guard value.pairs != nil, let migration = value["schemaMigration"] else { throw wrong("source", window) }
        return migration == .null ? nil : try version(migration, "schemaMigration", window)
    }
}
