package import GodwitModel
package import GodwitSQLite

/// The inspected records of one entity, with facts that only a draft of a manifest needs.
package struct TableInspection: Sendable {
    package var entity: InspectedEntity
    /// Columns of the primary key; a manifest cannot use a key of several columns.
    package var primaryKey: [String] = []
    /// The column that sounds like a key, with the number of records that repeat a value; nil if that is not why there
    /// is no key.
    package var repeatedKey: (column: String, records: Int64)?
    /// Its foreign keys and their state.
    package var references: [ReferenceState] = []
    /// Checks that some of its records break.
    package var brokenChecks = BrokenChecks()
    /// Why the values were not read; nil if they were.
    package var fault: GodwitError?
}

/// Inspects the records of one entity: counts, dates, keys.
struct TableInspector {
    let connection: SQLiteConnection
    let now: Instant
    let showsValues: Bool
    let limits: InspectionLimits

    func inspect(_ table: TableShape) throws(GodwitError) -> TableInspection {
        let stored = table.storedColumns
        let source = RecordSelection(
            name: table.name, table: table.name,
            columns: stored.map { .init(name: $0.name, column: $0.name, declaredType: $0.type) })
        let primary = stored.filter { $0.primaryKeyIndex > 0 }.sorted { $0.primaryKeyIndex < $1.primaryKeyIndex }
        // A primary key of several columns shows that a unique name may be repeated later.
        var found = try inspect(source, allowsNatural: primary.count < 2) { name in
            let isRowNumber =
                primary.count == 1 && primary[0].name == name && primary[0].type == "INTEGER" && !table.isWithoutRowid
            return (primary.count == 1 && primary[0].name == name, isRowNumber)
        }
        found.primaryKey = primary.map(\.name)
        return found
    }

    /// Inspects a selection of records.
    ///
    /// - Parameters:
    ///   - primaryKey: Whether a column is the whole primary key, and whether SQLite numbers the records in it.
    ///   - allowsNatural: Whether a natural key may be chosen by its values only.
    func inspect(
        _ source: RecordSelection, allowsNatural: Bool = true,
        primaryKey: (String) -> (Bool, isRowNumber: Bool) = { _ in (false, false) }
    ) throws(GodwitError) -> TableInspection {
        var entity = InspectedEntity(name: source.name, table: source.table)
        entity.count = try connection.count(source)
        let samples = showsValues ? limits.samples : 0
        do throws(GodwitError) {
            let tallies = try connection.tally(source, now: now, samples: samples, limits: limits)
            entity.columns = zip(source.columns, tallies).map { column, tally in
                tally.column(
                    column.name, column: column.column == column.name ? nil : column.column,
                    type: column.declaredType, encoding: column.encoding, now: now, showsValues: showsValues)
            }
            let constraints = try KeyConstraints(of: source.table, connection)
            if showsValues {
                entity.hideSettings { column in
                    let name = (source.columns.first { $0.name == column }?.column ?? column).foldedName
                    return primaryKey(column).0 || constraints.single.contains(name)
                        || constraints.partial.contains(name)
                }
            }
            let candidates = try candidates(source, entity, tallies, constraints, primaryKey)
            var found = TableInspection(entity: entity)
            if let choice = KeyChoice.decide(
                candidates, entity: NameParts(source.name), count: entity.count, allowsNatural: allowsNatural)
            {
                entity.key = choice.column
                entity.keyEvidence = choice.evidence
                let key = candidates.first { $0.name == choice.column }
                let present = entity.count - (key?.missing ?? 0)
                entity.duplicates = max(0, present - (key?.distinct ?? present))
            } else if let refused = KeyChoice.refused(
                candidates, entity: NameParts(source.name), count: entity.count),
                let repeated = refused.repeated(of: entity.count)
            {
                found.repeatedKey = (refused.name, repeated)
            }
            entity.modified = Self.modified(among: entity.columns, key: entity.key)
            entity.isSingleton = entity.count == 1 && NameParts(source.name).soundSingle
            found.entity = entity
            return found
        } catch {
            guard error.code == .data else { throw error }
            entity.columns = source.columns.map { InspectedColumn(name: $0.name, declaredType: $0.declaredType) }
            return TableInspection(entity: entity, fault: error)
        }
    }

    /// The columns that may be the key; different values are counted only if the name or an index suggests a key.
    private func candidates(
        _ source: RecordSelection, _ entity: InspectedEntity, _ tallies: [ColumnTally],
        _ constraints: KeyConstraints, _ primaryKey: (String) -> (Bool, isRowNumber: Bool)
    ) throws(GodwitError) -> [KeyChoice.Candidate] {
        let words = NameParts(source.name)
        var found: [KeyChoice.Candidate] = []
        for (index, (column, seen)) in zip(source.columns, entity.columns).enumerated() {
            let (isPrimaryKey, isRowNumber) = primaryKey(column.name)
            let hasUniqueIndex = constraints.single.contains(column.column.foldedName)
            let name = NameParts(column.name)
            let isNamed = name.soundIdentity(of: words) || name.soundNaturalKey(of: words)
            // A table may have one record for each day if the schema says so. Dates with fractions are not keys, and
            // Core Data's dates may get fractions at any time.
            let isDay = seen.kind == .date && column.encoding == nil && tallies[index].numbers.reals == 0
            let isPlain = [.uuid, .text, .integer, .boolean, .none].contains(seen.kind)
            let mayBeKey =
                switch seen.kind {
                case _ where isPlain: isPrimaryKey || hasUniqueIndex || isNamed
                case .date: isDay && (isPrimaryKey || hasUniqueIndex)
                // The schema itself makes a primary key a key, with any values.
                default: isPrimaryKey
                }
            guard mayBeKey else { continue }
            let isCounted = !isPrimaryKey && entity.count <= limits.records
            found.append(
                .init(
                    name: column.name, kind: seen.kind, missing: seen.missing,
                    distinct: isCounted ? try connection.countDistinct(column.column, source) : nil,
                    isPrimaryKey: isPrimaryKey, isRowNumber: isRowNumber, hasUniqueIndex: hasUniqueIndex,
                    isPartOfMore: constraints.partial.contains(column.column.foldedName)))
        }
        return found
    }

    /// The column that dates a record: the last change before the creation, columns with values before empty ones.
    static func modified(among columns: [InspectedColumn], key: String?) -> String? {
        let dates = columns.filter { column in
            guard column.name != key else { return false }
            return column.kind == .date
                || (column.kind == .none
                    && (DateEncoding.isDeclared(column.declaredType) || NameParts(column.name).words.last == "at"))
        }
        let byRank = [NameParts.isModified, NameParts.isCreated]
        for isWanted in byRank {
            let fitting = dates.filter { isWanted(NameParts($0.name)) }
            if let best = fitting.first(where: { $0.kind == .date }) ?? fitting.first { return best.name }
        }
        return nil
    }
}

extension NameParts {
    static func isModified(_ words: NameParts) -> Bool { words.soundModified }
    static func isCreated(_ words: NameParts) -> Bool { words.soundCreated }
}
