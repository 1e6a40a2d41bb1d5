package import GodwitModel
package import GodwitSQLite

/// Converts a Core Data store's records to rows of the manifest's tables, in a private store.
///
/// Its tables have the columns and types of the schema files, but no keys, checks and triggers, because the app's
/// records were not written under these rules. Dedupe handles duplicates, and the copy reports records that the cloud
/// store refuses.
package struct CoreDataConversion {
    private let source: SQLiteConnection
    private let target: SQLiteConnection
    private let external: ExternalData
    private let archives: CoreDataArchives
    private let context: RunContext
    /// For users, in the order of the manifest.
    private var findings: [Warning] = []
    /// Whether a file next to the store was missing.
    package private(set) var hasDangling = false

    package var warnings: [Warning] { findings }

    /// - Parameters:
    ///   - source: a snapshot of the store.
    ///   - target: the private store, inside a transaction.
    package init(
        from source: SQLiteConnection, into target: SQLiteConnection, external: ExternalData,
        archives: CoreDataArchives, context: RunContext
    ) {
        (self.source, self.target, self.external, self.archives) = (source, target, external, archives)
        self.context = context
    }

    /// Creates the tables of all entities, empty.
    package func makeTables(for entities: [Entity], in shape: SchemaShape) throws(GodwitError) {
        try target.makePlainTables(for: entities, in: shape)
    }

    /// Converts all records of one entity.
    package mutating func convert(_ query: CoreDataQuery) throws(GodwitError) {
        guard let sql = query.sql else { return }
        let rows = try source.prepare(sql)
        let names = query.columns.map { quoted($0.field.column) }.joined(separator: ", ")
        let places = query.columns.map { _ in "?" }.joined(separator: ", ")
        let insertion = try target.prepare("INSERT INTO \(quoted(query.entity.name))(\(names)) VALUES (\(places))")
        var tally = Tally(columns: query.columns.count, relations: query.relations.count)
        var done = 0
        while try rows.step() {
            let isLost = Self.countLost(of: query, rows, &tally)
            if isLost, Self.hasNoKey(query, rows) {
                tally.leftOut += 1
                continue
            }
            for (index, column) in query.columns.enumerated() {
                try fill(column, from: rows, at: index, of: insertion, &tally)
            }
            try insertion.run()
            done += 1
            if done & 1023 == 0 { try context.cancellation.check(source.stage) }
        }
        findings += tally.warnings(query)
        if tally.dangling.contains(where: { $0 > 0 }) { hasDangling = true }
    }

    /// Whether a relation of a row refers to a missing record; counts such relations.
    private static func countLost(of query: CoreDataQuery, _ rows: borrowing SQLiteCursor, _ tally: inout Tally) -> Bool
    {
        var isLost = false
        for (index, relation) in query.relations.enumerated()
        where rows.type(relation.named) != .null && rows.type(relation.found) == .null {
            tally.lost[index] += 1
            isLost = true
        }
        return isLost
    }

    /// Whether a pair with a missing side has no key: it joins nothing, and Core Data does not show it either.
    private static func hasNoKey(_ query: CoreDataQuery, _ rows: borrowing SQLiteCursor) -> Bool {
        guard case .join? = query.entity.source?.origin,
            let key = query.columns.first(where: { $0.field.column.isSameName(as: query.entity.key) })
        else { return false }
        return key.field.fallback == nil && key.places.contains { rows.type($0) == .null }
    }

    private func fill(
        _ column: CoreDataQuery.Column, from rows: borrowing SQLiteCursor, at index: Int,
        of insertion: borrowing SQLiteCursor, _ tally: inout Tally
    ) throws(GodwitError) {
        let encoding = column.field.encoding
        guard column.places.count == 1 else {
            var parts: [Value] = []
            for place in column.places {
                let value = rows.value(place)
                let made = CoreDataValue.converted(value, to: encoding)
                // In a value of several parts, a number among identifiers may stay a number, because all become text.
                if !made.isConverted, case .blob = value { tally.kept[index] += 1 }
                if made.isRounded { tally.rounded[index] += 1 }
                parts.append(made.value)
            }
            let joined = CoreDataValue.joined(parts)
            return try insertion.bind(joined == .null ? column.field.fallback ?? .null : joined, at: index + 1)
        }
        let place = column.places.lowerBound
        let isNull = rows.type(place) == .null
        if isNull, let fallback = column.field.fallback { return try insertion.bind(fallback, at: index + 1) }
        switch encoding {
        case nil:
            if rows.type(place) == .blob, rows.withBytes(place, ExternalData.isReference) { tally.unread[index] += 1 }
            try insertion.bind(column: place, of: rows, at: index + 1)
        case .externalData?:
            try insertion.bind(try externalValue(rows.value(place), index, &tally), at: index + 1)
        case .keyedArchive?:
            let made = archived(rows.value(place))
            if !made.isConverted { tally.kept[index] += 1 }
            try insertion.bind(made.value, at: index + 1)
        default:
            let made = CoreDataValue.converted(rows.value(place), to: encoding)
            if !made.isConverted { tally.kept[index] += 1 }
            if made.isRounded { tally.rounded[index] += 1 }
            try insertion.bind(made.value, at: index + 1)
        }
    }

    private func externalValue(_ value: Value, _ index: Int, _ tally: inout Tally) throws(GodwitError) -> Value {
        guard case .blob(let bytes) = value, !bytes.isEmpty else { return value }
        switch try external.content(of: bytes) {
        case .inline(let data), .file(let data): return .blob(data)
        case .dangling:
            tally.dangling[index] += 1
            return value
        case .plain:
            tally.kept[index] += 1
            return value
        }
    }

    private func archived(_ value: Value) -> CoreDataValue.Converted {
        guard case .blob(let bytes) = value else { return .init(value, value == .null) }
        guard let json = archives.text(bytes) else { return .init(value, false) }
        return .init(.text(json), true)
    }

    /// Counts of values that do not match the manifest, by field.
    private struct Tally {
        var kept: [Int]
        /// Dates that lost precision.
        var rounded: [Int]
        /// References to missing files.
        var dangling: [Int]
        /// References to files in fields without `as: externalData`.
        var unread: [Int]
        /// Relations to missing records.
        var lost: [Int]
        /// Pairs that were omitted because of that.
        var leftOut = 0

        init(columns: Int, relations: Int) {
            kept = Array(repeating: 0, count: columns)
            (rounded, dangling, unread) = (kept, kept, kept)
            lost = Array(repeating: 0, count: relations)
        }

        func warnings(_ query: CoreDataQuery) -> [Warning] {
            var warnings: [Warning] = []
            for (index, column) in query.columns.enumerated() {
                let name = "\(query.entity.name).\(column.field.column)"
                if kept[index] > 0, let encoding = column.field.encoding {
                    warnings.append(
                        Warning(
                            "valueKept",
                            "\(kept[index].counted("value")) of \(name) can't be read `as: "
                                + "\(encoding.rawValue)`; Godwit copies them as they are stored",
                            hint: "Remove `as` if they are stored in another form."))
                }
                if rounded[index] > 0 { warnings.append(.datesRounded(rounded[index], name)) }
                if dangling[index] > 0 {
                    warnings.append(
                        Warning(
                            "externalDataMissing",
                            "\(dangling[index].counted("file")) of \(name) "
                                + "\(dangling[index] == 1 ? "does" : "do") not exist; Godwit copies the "
                                + "reference instead of the data",
                            hint:
                                "Copy the `_SUPPORT` folder next to the store as well."
                        ))
                }
                if unread[index] > 0 {
                    warnings.append(
                        Warning(
                            "externalDataNotRead",
                            "\(unread[index].counted("value")) of \(name) "
                                + "\(unread[index] == 1 ? "is a reference" : "are references") to files next to "
                                + "the store",
                            hint: "Write `as: externalData` to copy the data itself."))
                }
            }
            for (index, relation) in query.relations.enumerated() where lost[index] > 0 {
                warnings.append(
                    Warning(
                        "relationLost",
                        "\(lost[index].counted("record")) of \(query.entity.name) "
                            + "\(lost[index] == 1 ? "names" : "name") a record in '\(relation.name)' that does "
                            + "not exist",
                        hint: leftOut == 0
                            ? "Accept NULL for the values behind this relation, or correct it in the app."
                            : "Correct the pairs in the app: they have no key "
                                + "(\(leftOut.counted("pair")) left out)."))
            }
            return warnings
        }
    }
}

extension Warning {
    fileprivate static func datesRounded(_ count: Int, _ column: String) -> Warning {
        Warning(
            "datesRounded",
            "\(count.counted("date")) of \(column) \(count == 1 ? "is" : "are") rounded to the nearest "
                + "millisecond",
            hint: "Write `as: coreData` to keep every digit.")
    }
}
