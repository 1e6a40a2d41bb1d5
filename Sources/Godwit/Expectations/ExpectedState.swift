internal import GodwitJSON
package import GodwitModel

/// The expected state of a container after a run, as a document that people review and commit.
///
/// It has neither times nor paths, and no values of users except selected records and the keys of winners, so that the
/// same container gives the same bytes on every machine.
package struct ExpectedState: Sendable {
    package static let format = "godwit-expectation"
    package static let version = 1

    /// The parts in the order in which they are written.
    package static let parts = [
        "format", "formatVersion", "app", "select", "activeStore", "flagIsSet", "schema", "counts", "orphans",
        "setAside", "replaced", "winners", "legacy", "records",
    ]

    /// The parts that are there; all but the first three may be left out of a file, and are then not compared.
    package var members: [LegacyPair]

    /// The state of a container, with the selection of the file.
    package init(app: String, selecting select: LegacyValue, found: [LegacyPair]) {
        members =
            [
                LegacyPair(key: "format", value: .string(Self.format)),
                LegacyPair(key: "formatVersion", value: .integer(Int64(Self.version))),
                LegacyPair(key: "app", value: .string(app)), LegacyPair(key: "select", value: select),
            ] + found
    }

    /// Reads a file's document; 65 if it is not an expectation, of another version, or has an unknown part.
    package init(_ document: LegacyValue, file: String) throws(GodwitError) {
        guard case .dictionary(let pairs) = document,
            let format = pairs.first(where: { $0.hasKey("format") }), format.value == .string(Self.format)
        else {
            throw GodwitError(
                .verify, .data, "`\(file)` is not an expectation: its `format` is not \"\(Self.format)\"",
                hint: "Write one with `godwit verify --expect FILE --update-expect`, under a new name.")
        }
        guard let version = pairs.first(where: { $0.hasKey("formatVersion") }),
            version.value == .integer(Int64(Self.version))
        else {
            throw GodwitError(
                .verify, .data, "`\(file)` is an expectation of another format than \(Self.version)",
                hint: "Write it again with this Godwit, under a new name, and compare the two.")
        }
        if let unknown = pairs.first(where: { pair in !Self.parts.contains(where: pair.hasKey) }) {
            throw GodwitError(
                .verify, .data, "`\(file)` has a part '\(unknown.key)', which no expectation has",
                hint: "Use one of \(Self.parts.joined(separator: ", ")).")
        }
        members = pairs
    }

    /// A part; nil if it is left out.
    package subscript(_ part: String) -> LegacyValue? { members.first { $0.hasKey(part) }?.value }

    /// The selection as written; empty if it is left out.
    package var select: LegacyValue { self["select"] ?? .array([]) }

    /// The selected records; 65 if the selection is not valid.
    package func selections(file: String) throws(GodwitError) -> [RecordSelection] {
        guard case .array(let items) = select else {
            throw GodwitError(
                .verify, .data, "`select` of `\(file)` is not a list",
                hint: "Write \"select\": [{\"entity\": \"Name\", \"key\": \"…\", \"columns\": [\"…\"]}].")
        }
        var selections: [RecordSelection] = []
        for (index, item) in items.enumerated() {
            guard let selection = RecordSelection(item) else {
                throw GodwitError(
                    .verify, .data, "item \(index + 1) of `select` in `\(file)` does not name a record",
                    hint: "Write `entity` and `key`, and if needed `columns`, a list of names.")
            }
            selections.append(selection)
        }
        return selections
    }
}

/// A record whose values an expectation has by intent.
package struct RecordSelection: Sendable, Hashable {
    package let entity: String
    package let key: Value
    /// Names of columns; empty for all.
    package let columns: [String]

    /// Reads `{"entity": …, "key": …, "columns": […]}`; nil for anything else.
    init?(_ item: LegacyValue) {
        guard case .dictionary(let pairs) = item,
            pairs.allSatisfy({ pair in ["entity", "key", "columns"].contains(where: pair.hasKey) }),
            case .string(let entity)? = pairs.first(where: { $0.hasKey("entity") })?.value,
            let key = pairs.first(where: { $0.hasKey("key") })?.value,
            let value = TypedJSON.value(of: key)
        else { return nil }
        var columns: [String] = []
        switch pairs.first(where: { $0.hasKey("columns") })?.value {
        case nil: break
        case .array(let names):
            for name in names {
                guard case .string(let name) = name else { return nil }
                columns.append(name)
            }
        default: return nil
        }
        (self.entity, self.key, self.columns) = (entity, value, columns)
    }
}
