internal import GodwitJSON
package import GodwitModel
package import GodwitSQLite

/// A run as the books of one store know it by the duplicates it set aside and the values it changed for them.
package struct LedgerRun: Sendable, Equatable {
    package let id: String
    /// When it began; the epoch where the books are unreadable.
    package let startedAt: Instant
    /// Steps that can be undone.
    package let open: Int
    /// Steps that were undone.
    package let undone: Int
    /// Steps that describe another store and came along with a copy.
    package let carried: Int
    /// The run that undid it last.
    package let undoneBy: String?
    /// The place of its last step among all steps in the store's books: what came later, whatever the clock said.
    package let lastStep: Int64

    package init(
        id: String, startedAt: Instant, open: Int, undone: Int = 0, carried: Int = 0, undoneBy: String? = nil,
        lastStep: Int64 = 0
    ) {
        (self.id, self.startedAt, self.open) = (id, startedAt, open)
        (self.undone, self.carried, self.undoneBy, self.lastStep) = (undone, carried, undoneBy, lastStep)
    }
}

/// One thing that dedupe did, as the books have it.
package struct LedgerStep: Sendable, Equatable {
    package enum Action: Sendable, Equatable {
        /// A record left its table; its number in `godwit_removed`, where it is kept whole.
        case removed(number: Int64, winnerKey: Value)
        /// A column of a record was given another value.
        case changed(column: String, from: Value, to: Value)
    }

    /// Its place among all steps in the store's books.
    package let order: Int64
    package let run: String
    /// What the books call the table.
    package let entity: String
    /// The key that the record had before.
    package let key: Value
    package let reason: String
    /// What told its row from all others right after the step; nil in books of an older Godwit.
    package let identity: [Value]?
    /// `RowDigest` of the row right after the step, where its identity may change by itself.
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

/// What the steps of a run that can still be undone have in common.
package struct OpenSteps: Sendable, Equatable {
    /// The place of the first one among all steps in the store's books.
    package let first: Int64
    /// Whether all of them say what told their rows from all others; the books of an older Godwit don't.
    package let areExact: Bool
    /// Whether changes of single values are among those that don't.
    package let hasInexactChanges: Bool
}

extension SQLiteConnection {
    /// What a dedupe did: what a merge replaced is no step of it.
    private static let isDuplicate = "substr(reason, 1, 9) <> 'replaced:'"
    private static let isOpen = "carriedFrom IS NULL AND undoneBy IS NULL"

    /// The runs whose dedupe the books speak of, newest first; reads only, and books of any age.
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
                found[id] = LedgerRun(
                    id: id,
                    startedAt: max(Instant(iso8601: row[1].readable) ?? .epoch, before?.startedAt ?? .epoch),
                    open: (Int(row[2].readable) ?? 0) + (before?.open ?? 0),
                    undone: (Int(row[3].readable) ?? 0) + (before?.undone ?? 0),
                    carried: (Int(row[4].readable) ?? 0) + (before?.carried ?? 0),
                    undoneBy: row[5] == .null ? before?.undoneBy : row[5].readable,
                    lastStep: max(Int64(row[6].readable) ?? 0, before?.lastStep ?? 0))
            }
        }
        return found.values.sorted { ($1.lastStep, $0.id) < ($0.lastStep, $1.id) }
    }

    /// What the steps of a run that can still be undone have in common; nil where there are none.
    ///
    /// To be called when both tables have all their columns.
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

    /// Hands on the steps that can still be undone, the last one first, until the body returns false.
    ///
    /// They are read while the body works, which must not write to the books. To be called when both tables have all
    /// their columns.
    ///
    /// - Parameters:
    ///   - run: whose steps.
    ///   - before: if there is one, the steps of all other runs behind this place instead.
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

    /// How many steps of a run, up to a place in the books, gave a column of a table the same value and can be undone.
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

    /// A record that was set aside: the names of its columns with their values; 65 where the books were tampered with.
    package func readRemovedRecord(_ number: Int64) throws(GodwitError) -> [(name: String, value: Value)] {
        let record = try first("SELECT record FROM godwit_removed WHERE id = ?", [.integer(number)])
        guard let record, let members = TypedJSON.members(of: record.textBytes), !members.isEmpty else {
            throw unreadableBooks
        }
        return members
    }

    /// Hands on what a column of an entity had in the records that were set aside; reads only, and books of any age.
    ///
    /// - Parameter areOpen: whether only those that an undo of their run would put back into this store.
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

    /// Whether a merge replaced the record of this key behind a place in the books.
    package func hasReplaced(_ entity: String, key: Value, laterThan order: Int64) throws(GodwitError) -> Bool {
        try first(
            """
            SELECT 1 FROM godwit_removed WHERE entity = ? AND key IS ? AND coalesce(step, id) > ?
            AND NOT \(Self.isDuplicate) LIMIT 1
            """, [.string(entity), key, .integer(order)]) != nil
    }

    /// Marks all steps of a run as undone; they stay in the books.
    package func markUndone(_ run: String, by undoing: String, at now: Instant) throws(GodwitError) {
        for table in [Ledger.Table.removed, .changed] {
            try execute(
                """
                UPDATE \(table.rawValue) SET undoneBy = ?, undoneAt = ?
                WHERE runId = ? AND carriedFrom IS NULL AND undoneBy IS NULL AND \(Self.isDuplicate)
                """, [.string(undoing), .string(now.iso8601), .string(run)])
        }
    }

    /// The books hold what Godwit never wrote there (65).
    package var unreadableBooks: GodwitError {
        GodwitError(
            stage, .data, "What \(name) holds of removed records can't be read.",
            hint: "Nothing was changed. Somebody has edited godwit_removed or godwit_changed; see their `record` and "
                + "`rowIdentity`.")
    }
}

/// SQL for columns that the books of an older Godwit lack.
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
    /// The bytes of a text; of anything else none.
    fileprivate var textBytes: [UInt8] {
        if case .text(let bytes) = self { bytes } else { [] }
    }
}
