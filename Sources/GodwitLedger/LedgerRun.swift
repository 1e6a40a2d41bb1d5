internal import GodwitJSON
package import GodwitModel
package import GodwitSQLite

/// A run in the ledger of one store, with the number of duplicates that it set aside and values that it changed for
/// them.
package struct LedgerRun: Sendable, Equatable {
    package let id: String
    /// Start of the run; the epoch if the ledger is unreadable.
    package let startedAt: Instant
    package let open: Int
    package let undone: Int
    /// Number of steps that were copied from another store's ledger.
    package let carried: Int
    /// Of these, the ones that set a record aside; the others changed a value.
    package let carriedRecords: Int
    /// The run that undid it last.
    package let undoneBy: String?
    /// The order of its last step in the store's ledger, which does not depend on the clock.
    package let lastStep: Int64

    package init(
        id: String, startedAt: Instant, open: Int, undone: Int = 0, carried: Int = 0, carriedRecords: Int = 0,
        undoneBy: String? = nil, lastStep: Int64 = 0
    ) {
        (self.id, self.startedAt, self.open, self.carriedRecords) = (id, startedAt, open, carriedRecords)
        (self.undone, self.carried, self.undoneBy, self.lastStep) = (undone, carried, undoneBy, lastStep)
    }
}

/// One action of dedupe in the ledger.
package struct LedgerStep: Sendable, Equatable {
    package enum Action: Sendable, Equatable {
        /// A record was removed from its table; its number in `godwit_removed`, which contains it.
        case removed(number: Int64, winnerKey: Value)
        /// A column of a record got another value.
        case changed(column: String, from: Value, to: Value)
    }

    /// Its order among all steps in the store's ledger.
    package let order: Int64
    package let run: String
    /// The name of the table in the ledger.
    package let entity: String
    /// The key of the record before the step.
    package let key: Value
    package let reason: String
    /// The identity of its row right after the step; nil in the ledger of an older Godwit.
    package let identity: [Value]?
    /// `RowDigest` of the row right after the step, if its identity may change by itself.
    package let digest: String?
    package let action: Action

    package init(
        order: Int64, run: String, entity: String, key: Value, reason: String, identity: [Value]?,
        digest: String? = nil,
        action: Action
    ) {
        (self.order, self.run, self.entity, self.key) = (order, run, entity, key)
        (self.reason, self.identity, self.digest, self.action) = (reason, identity, digest, action)
    }
}

/// Properties of all steps of a run that can still be undone.
package struct OpenSteps: Sendable, Equatable {
    /// The order of the first one in the store's ledger.
    package let first: Int64
    /// Whether all of them contain the identity of their row; those of an older Godwit do not.
    package let areExact: Bool
    /// Whether changes of single values are among those that do not.
    package let hasInexactChanges: Bool
}

extension SQLiteConnection {
    /// Only dedupe: replacements by a merge are not its steps.
    private static let isDuplicate = "substr(reason, 1, 9) <> 'replaced:'"
    private static let isOpen = "carriedFrom IS NULL AND undoneBy IS NULL"

    /// The runs in the ledger that deduped, newest first; reads only, and ledgers of any version.
    package func readBookedRuns() throws(GodwitError) -> [LedgerRun] {
        var found: [String: LedgerRun] = [:]
        for (table, date) in [(Ledger.Table.removed, "removedAt"), (.changed, "changedAt")]
        where try has(table) {
            let books = try BookColumns(self, table)
            let rows = try rows(
                """
                SELECT runId, max(\(date)), sum(\(books.isOpen)), sum(\(books.isUndone)), sum(\(books.isCarried)),
                  max(\(books["undoneBy"])), max(coalesce(\(books["step"]), id)) FROM \(table.rawValue)
                WHERE \(Self.isDuplicate) GROUP BY runId
                """)
            for row in rows {
                let (id, before) = (row[0].readable, found[row[0].readable])
                let carried = Int(row[4].readable) ?? 0
                found[id] = LedgerRun(
                    id: id,
                    startedAt: max(Instant(iso8601: row[1].readable) ?? .epoch, before?.startedAt ?? .epoch),
                    open: (Int(row[2].readable) ?? 0) + (before?.open ?? 0),
                    undone: (Int(row[3].readable) ?? 0) + (before?.undone ?? 0),
                    carried: carried + (before?.carried ?? 0),
                    carriedRecords: (table == .removed ? carried : 0) + (before?.carriedRecords ?? 0),
                    undoneBy: row[5] == .null ? before?.undoneBy : row[5].readable,
                    lastStep: max(Int64(row[6].readable) ?? 0, before?.lastStep ?? 0))
            }
        }
        return found.values.sorted { ($1.lastStep, $0.id) < ($0.lastStep, $1.id) }
    }

    /// Properties of a run's steps that can still be undone; nil if there are none.
    ///
    /// Call it when both tables have all their columns.
    package func readOpenSteps(of run: String) throws(GodwitError) -> OpenSteps? {
        var open: OpenSteps?
        for table in [Ledger.Table.removed, .changed] {
            let row =
                try rows(
                    """
                    SELECT count(*), min(coalesce(step, id)), count(*) - count(rowIdentity) FROM \(table.rawValue)
                    WHERE runId = ? AND \(Self.isOpen) AND \(Self.isDuplicate)
                    """, [.string(run)]
                ).first ?? []
            guard row.count == 3, case .integer(let first) = row[1] else { continue }
            let inexact = row[2] != .integer(0)
            open = OpenSteps(
                first: min(first, open?.first ?? .max), areExact: !inexact && open?.areExact != false,
                hasInexactChanges: inexact && table == .changed)
        }
        return open
    }

    /// Calls a body for the steps that can still be undone, the last one first, until it returns false.
    ///
    /// They are read while the body runs, which must not write to the ledger. Call it when both tables have all their
    /// columns.
    ///
    /// - Parameter before: if set, the steps of all other runs after this one instead.
    package func forEachOpenStep(
        of run: String, laterThan before: Int64? = nil, _ body: (LedgerStep) throws(GodwitError) -> Bool
    ) throws(GodwitError) {
        let whose = before == nil ? "runId = ?1" : "runId <> ?1 AND coalesce(step, id) > ?2"
        let cursor = try prepare(
            """
            SELECT coalesce(step, id), runId, entity, key, reason, rowIdentity, NULL, id, 0, winnerKey, NULL, NULL
            FROM godwit_removed WHERE \(whose) AND \(Self.isOpen) AND \(Self.isDuplicate)
            UNION ALL
            SELECT coalesce(step, id), runId, entity, key, reason, rowIdentity, rowDigest, id, 1, "column", oldValue,
              newValue
            FROM godwit_changed WHERE \(whose) AND \(Self.isOpen) AND \(Self.isDuplicate)
            ORDER BY 1 DESC, 9 DESC, 8 DESC
            """)
        try cursor.bind([Value.string(run)] + (before.map { [.integer($0)] } ?? []))
        while try cursor.step() {
            let row = cursor.row()
            let action: LedgerStep.Action =
                row[8] == .integer(0)
                ? .removed(number: Int64(row[7].readable) ?? 0, winnerKey: row[9])
                : .changed(column: row[9].readable, from: row[10], to: row[11])
            guard try body(step(row, action)) else { return }
        }
    }

    /// Number of a run's steps, up to an order, that gave a column of a table this value and can be undone.
    package func countOpenSteps(
        of run: String, upTo order: Int64, writing value: Value, to column: String, of entity: String
    ) throws(GodwitError) -> Value? {
        try first(
            """
            SELECT count(*) FROM godwit_changed WHERE runId = ? AND \(Self.isOpen) AND coalesce(step, id) <= ?
            AND entity = ? AND "column" = ? AND newValue IS ? COLLATE BINARY AND reason <> 'rekeyed'
            """, [.string(run), .integer(order), .string(entity), .string(column), value])
    }

    private func step(_ row: [Value], _ action: LedgerStep.Action) throws(GodwitError) -> LedgerStep {
        var identity: [Value]?
        if row[5] != .null {
            identity = TypedJSON.elements(of: row[5].textBytes)
            guard identity != nil else { throw unreadableBooks }
        }
        return LedgerStep(
            order: Int64(row[0].readable) ?? 0, run: row[1].readable, entity: row[2].readable, key: row[3],
            reason: row[4].readable, identity: identity, digest: row[6] == .null ? nil : row[6].readable,
            action: action)
    }

    /// A record that was set aside: column names and values; throws 65 if the ledger was edited.
    package func readRemovedRecord(_ number: Int64) throws(GodwitError) -> [(name: String, value: Value)] {
        let record = try first("SELECT record FROM godwit_removed WHERE id = ?", [.integer(number)])
        guard let record, let members = TypedJSON.members(of: record.textBytes), !members.isEmpty else {
            throw unreadableBooks
        }
        return members
    }

    /// Calls a body with the value of a column in each record that was set aside; reads only, and ledgers of any
    /// version.
    ///
    /// - Parameter areOpen: whether to include only records that an undo of their run would restore in this store.
    package func forEachRemovedValue(
        of column: String, in entity: String, areOpen: Bool, _ body: (Value) throws(GodwitError) -> Void
    ) throws(GodwitError) {
        guard try has(.removed) else { return }
        let books = try BookColumns(self, .removed)
        let open = areOpen ? "AND \(books.isOpen) AND \(Self.isDuplicate)" : ""
        let cursor = try prepare("SELECT record FROM godwit_removed WHERE entity = ? COLLATE NOCASE \(open)")
        try cursor.bind([.string(entity)])
        while try cursor.step() {
            guard let members = TypedJSON.members(of: cursor.value(0).textBytes) else { throw unreadableBooks }
            if let value = members.first(where: { $0.name.isSameName(as: column) })?.value { try body(value) }
        }
    }

    /// A record that a dedupe set aside, also of the local store that was copied, and that no undo has put back here.
    package struct DuplicateSetAside {
        /// The value by which it was a duplicate; for a singleton, its own key.
        package let key: Value
        package let winnerKey: Value
        package let run: String
        /// Whether a dedupe of the local store set it aside, and the copy brought the note along.
        package let isCarried: Bool
        package let record: [(name: String, value: Value)]
    }

    /// Calls a body with each such record of an entity; reads only, and ledgers of any version.
    package func forEachDuplicateSetAside(
        of entity: String, _ body: (DuplicateSetAside) throws(GodwitError) -> Void
    ) throws(GodwitError) {
        let books = try BookColumns(self, .removed)
        let cursor = try prepare(
            """
            SELECT key, winnerKey, runId, record, \(books.isCarried) FROM godwit_removed
            WHERE entity = ? COLLATE NOCASE AND NOT \(books.isUndone) AND \(Self.isDuplicate) AND reason <> 'orphan'
            """)
        try cursor.bind([.string(entity)])
        while try cursor.step() {
            guard let record = TypedJSON.members(of: cursor.value(3).textBytes) else { throw unreadableBooks }
            try body(
                DuplicateSetAside(
                    key: cursor.value(0), winnerKey: cursor.value(1), run: cursor.value(2).readable,
                    isCarried: cursor.integer(4) != 0, record: record))
        }
    }

    /// Whether a merge replaced the record of this key after a step.
    package func hasReplaced(_ entity: String, key: Value, laterThan order: Int64) throws(GodwitError) -> Bool {
        try first(
            """
            SELECT 1 FROM godwit_removed WHERE entity = ? AND key IS ? AND coalesce(step, id) > ?
            AND NOT \(Self.isDuplicate) LIMIT 1
            """, [.string(entity), key, .integer(order)]) != nil
    }

    /// Marks all steps of a run as undone; they stay in the ledger.
    package func markUndone(_ run: String, by undoing: String, at now: Instant) throws(GodwitError) {
        for table in [Ledger.Table.removed, .changed] {
            try execute(
                """
                UPDATE \(table.rawValue) SET undoneBy = ?, undoneAt = ?
                WHERE runId = ? AND carriedFrom IS NULL AND undoneBy IS NULL AND \(Self.isDuplicate)
                """, [.string(undoing), .string(now.iso8601), .string(run)])
        }
    }

    /// The ledger contains data that Godwit never wrote (65).
    package var unreadableBooks: GodwitError {
        GodwitError(
            stage, .data,
            "the removed records in `\(name)` can't be read: godwit_removed or godwit_changed was "
                + "edited; nothing was changed",
            hint: "Correct `record` and `rowIdentity` in these two tables.")
    }
}

/// SQL for columns that the ledger of an older Godwit lacks.
private struct BookColumns {
    private let present: Set<String>

    init(_ connection: SQLiteConnection, _ table: Ledger.Table) throws(GodwitError) {
        present = try connection.columnNames(of: table)
    }

    subscript(_ name: String) -> String { present.contains(name) ? name : "NULL" }

    var isCarried: String { "\(self["carriedFrom"]) IS NOT NULL" }

    var isUndone: String { "(\(self["carriedFrom"]) IS NULL AND \(self["undoneBy"]) IS NOT NULL)" }

    var isOpen: String { "(\(self["carriedFrom"]) IS NULL AND \(self["undoneBy"]) IS NULL)" }
}

extension Value {
    /// The bytes of a text; empty for other values.
    fileprivate var textBytes: [UInt8] {
        if case .text(let bytes) = self { bytes } else { [] }
    }
}
