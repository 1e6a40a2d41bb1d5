internal import GodwitModel

/// A column, as a document announces it.
package struct ExportedColumn: Sendable, Equatable {
    package let name: String
    /// The declared type in the document; may be empty.
    package let type: String
    /// Whether SQLite computes and stores it; it is exported, but not restored.
    package let isGenerated: Bool

    package init(name: String, type: String, isGenerated: Bool = false) {
        (self.name, self.type, self.isGenerated) = (name, type, isGenerated)
    }

    /// Compares bytes.
    func isNamed(_ other: String) -> Bool { name.utf8.elementsEqual(other.utf8) }
}

/// An entity, as a document announces it before its records.
package struct DocumentEntity: Sendable, Equatable {
    package let name: String
    /// The column that identifies a record in all stores.
    package let key: String
    /// In the order of the values in each record.
    package let columns: [ExportedColumn]
    package let count: Int64
    /// Number of removed keys; nil in a complete export.
    package let goneCount: Int64?

    package init(name: String, key: String, columns: [ExportedColumn], count: Int64, goneCount: Int64? = nil) {
        (self.name, self.key, self.columns, self.count) = (name, key, columns, count)
        self.goneCount = goneCount
    }

    /// The entity with its key as the only column.
    var keys: DocumentEntity {
        DocumentEntity(
            name: name, key: key, columns: columns.filter { $0.name.utf8.elementsEqual(key.utf8) },
            count: goneCount ?? 0)
    }
}

extension DocumentEntity {
    /// Checks the description before the records; unknown members are an error, because they could change how to read
    /// records.
    init(_ members: [LegacyPair], _ window: borrowing ReadingWindow) throws(GodwitError) {
        let node = LegacyValue.dictionary(members)
        for member in members where !Self.knows(member.key) { throw Self.unknownMember(window) }
        guard let name = node["name"]?.text, !name.isEmpty, let key = node["key"]?.text,
            let list = node["columns"]?.elements, let count = node["count"]?.wholeNumber, count >= 0
        else { throw window.damage("an entity lacks its name, key, columns or count") }
        var columns: [ExportedColumn] = []
        var names: Set<[UInt8]> = []
        for element in list {
            let column = try Self.column(element, window)
            guard names.insert(Array(column.name.utf8)).inserted else {
                throw window.damage("\(name) declares '\(column.name)' twice")
            }
            columns.append(column)
        }
        guard !columns.isEmpty, columns.count <= window.limits.columns else {
            throw window.damage("\(name) declares \(columns.count) columns")
        }
        guard names.contains(Array(key.utf8)) else {
            throw window.damage("the key of \(name) is not one of its columns")
        }
        let gone = node["goneCount"]
        guard gone == nil || gone?.wholeNumber.map({ $0 >= 0 }) == true else {
            throw window.damage("'goneCount' of \(name) is not a number")
        }
        self.init(name: name, key: key, columns: columns, count: count, goneCount: gone?.wholeNumber)
    }

    /// Whether a description may have a member of this name.
    static func knows(_ member: String) -> Bool {
        ["name", "key", "columns", "count", "goneCount"].contains(member)
    }

    static func unknownMember(_ window: borrowing ReadingWindow) -> GodwitError {
        window.damage("an entity has a member that version 1 does not have")
    }

    private static func column(
        _ node: LegacyValue, _ window: borrowing ReadingWindow
    ) throws(GodwitError) -> ExportedColumn {
        // SQLite accepts a column without a name.
        guard let name = node["name"]?.text, let type = node["type"]?.text,
            node.pairs?.allSatisfy({ ["name", "type", "generated"].contains($0.key) }) == true
        else { throw window.damage("a column is not declared by only a name and a type") }
        switch node["generated"] {
        case nil: return ExportedColumn(name: name, type: type)
        case .bool(true): return ExportedColumn(name: name, type: type, isGenerated: true)
        default: throw window.damage("'generated' of a column is not true")
        }
    }
}
