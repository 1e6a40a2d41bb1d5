internal import GodwitModel
internal import CSQLiteShim
internal import Foundation

/// Collations of a store that are not SQLite's own, on one of Godwit's connections:
/// <https://sqlite.org/c3ref/collation_needed.html>.
///
/// SQLite opens no index with an unknown collation, not even to check its pages. So a collation that only the app has
/// gets a stand-in, which knows no order.
/// Invariant: a stand-in decides nothing. A statement that would compare by it fails with SQLite's error for a missing
/// collation.
package final class AppCollations {
    private let handle: OpaquePointer
    /// Retained here, because SQLite has only a pointer to each.
    private var standIns: [StandIn] = []
    /// The stand-in that was called since `takeAsked`.
    private var asked: String?

    private final class StandIn {
        let name: String
        unowned let collations: AppCollations

        init(_ name: String, _ collations: AppCollations) { (self.name, self.collations) = (name, collations) }
    }

    /// Registers them on a handle, which must be closed before this object is released.
    ///
    /// - Parameter hasStandIns: whether collations that only the app has get a stand-in.
    init(on handle: OpaquePointer, hasStandIns: Bool) {
        self.handle = handle
        for collation in Self.ofGRDB { Self.register(collation, on: handle) }
        guard hasStandIns else { return }
        sqlite3_collation_needed(handle, Unmanaged.passUnretained(self).toOpaque()) { context, _, _, name in
            guard let context, let name else { return }
            Unmanaged<AppCollations>.fromOpaque(context).takeUnretainedValue().makeStandIn(String(cString: name))
        }
    }

    private func makeStandIn(_ name: String) {
        // In a UTF-16 store, SQLite also asks for its own collations, before it derives them from those for UTF-8.
        guard !Self.isKnown(name) else { return }
        let standIn = StandIn(name, self)
        standIns.append(standIn)
        sqlite3_create_collation_v2(
            handle, name, SQLITE_UTF8, Unmanaged.passUnretained(standIn).toOpaque(),
            { context, _, _, _, _ in
                guard let context else { return 0 }
                let standIn = Unmanaged<StandIn>.fromOpaque(context).takeUnretainedValue()
                standIn.collations.asked = standIn.name
                sqlite3_interrupt(standIn.collations.handle)
                return 0
            }, nil)
    }

    /// The stand-in that was called since the last call; nil if none was.
    func takeAsked() -> String? {
        defer { asked = nil }
        return asked
    }

    // MARK: Known collations

    /// Whether a collation is SQLite's own, and so has the same order everywhere.
    package static func isOfSQLite(_ name: String) -> Bool {
        ["BINARY", "NOCASE", "RTRIM", ByteOrder.collation].contains { $0.isSameName(as: name) }
    }

    /// Whether an order is known: SQLite's own, and those that GRDB registers in every app that uses it.
    package static func isKnown(_ name: String) -> Bool {
        isOfSQLite(name) || ofGRDB.contains { $0.name.isSameName(as: name) }
    }

    /// GRDB registers these on each connection: `GRDB/Core/Support/StandardLibrary/StandardLibrary.swift`.
    private static let ofGRDB: [Collation] = [
        Collation("swiftCompare") { $0 < $1 ? .orderedAscending : $0 == $1 ? .orderedSame : .orderedDescending },
        Collation("swiftCaseInsensitiveCompare") { $0.caseInsensitiveCompare($1) },
        Collation("swiftLocalizedCaseInsensitiveCompare") { $0.localizedCaseInsensitiveCompare($1) },
        Collation("swiftLocalizedCompare") { $0.localizedCompare($1) },
        Collation("swiftLocalizedStandardCompare") { $0.localizedStandardCompare($1) },
    ]

    private final class Collation: Sendable {
        let name: String
        let compare: @Sendable (String, String) -> ComparisonResult

        init(_ name: String, _ compare: @escaping @Sendable (String, String) -> ComparisonResult) {
            (self.name, self.compare) = (name, compare)
        }
    }

    private static func register(_ collation: Collation, on handle: OpaquePointer) {
        sqlite3_create_collation_v2(
            handle, collation.name, SQLITE_UTF8, Unmanaged.passUnretained(collation).toOpaque(),
            { context, count, text, otherCount, otherText in
                guard let context else { return 0 }
                let one = UnsafeRawBufferPointer(start: text, count: Int(count))
                let other = UnsafeRawBufferPointer(start: otherText, count: Int(otherCount))
                let compare = Unmanaged<Collation>.fromOpaque(context).takeUnretainedValue().compare
                return Int32(
                    compare(String(decoding: one, as: UTF8.self), String(decoding: other, as: UTF8.self)).rawValue)
            }, nil)
    }
}

extension SQLiteConnection {
    /// The error of a statement that called a stand-in; nil if none was called.
    func unknownOrder() -> GodwitError? {
        owner?.collations?.takeAsked().map {
            let text = "no such collation sequence: \($0)"
            return unknownCollation(text) ?? .sqlite(SQLITE_ERROR, text, name: name, stage: stage)
        }
    }

    /// The error of a statement that needs a collation which only the app has, with the columns that use it; nil for
    /// all other errors, and if no column does.
    func unknownCollation(_ text: String) -> GodwitError? {
        let start = "no such collation sequence: "
        guard text.hasPrefix(start) else { return nil }
        let collation = String(text.dropFirst(start.count))
        guard let columns = try? columns(orderedBy: collation), !columns.isEmpty else { return nil }
        let more = columns.count > 3 ? " and \((columns.count - 3).grouped) more" : ""
        return GodwitError(
            stage, .data,
            "\(columns.prefix(3).joined(separator: ", "))\(more) of `\(name)` "
                + "sort\(columns.count == 1 ? "s" : "") by the collation \(named(collation)), which only the app "
                + "has",
            hint: owner?.isReader == true
                ? "Export through the app, or work on a copy without the parts that need this collation."
                : "Make the table again with one of SQLite's own collations, in a new schema file, or "
                    + "let the app write to it.",
            underlying: text)
    }

    /// Columns with a collation, of their own or in an index, as `Table.column`.
    private func columns(orderedBy collation: String) throws(GodwitError) -> [String] {
        var found: [String] = []
        for table in try rows("SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0 ORDER BY name") {
            let table = table[0].readable
            for column in try rows("PRAGMA table_xinfo(\(quoted(table)))") {
                var declared: UnsafePointer<CChar>?
                let name = column[1].readable
                let code = sqlite3_table_column_metadata(handle, "main", table, name, nil, &declared, nil, nil, nil)
                if code == SQLITE_OK, let declared, String(cString: declared).isSameName(as: collation) {
                    found.append("\(table).\(name)")
                }
            }
            for index in try rows("PRAGMA index_list(\(quoted(table)))") {
                for part in try rows("PRAGMA index_xinfo(\(quoted(index[1].readable)))")
                where part[4] != .null && part[4].readable.isSameName(as: collation) && part[2] != .null {
                    let column = "\(table).\(part[2].readable)"
                    if !found.contains(column) { found.append(column) }
                }
            }
        }
        return found
    }

    /// Throws if a completed statement has called a stand-in.
    func requireKnownOrder() throws(GodwitError) {
        if let error = unknownOrder() { throw error }
    }

    /// Whether a table has an index, or is one, whose order is not SQLite's own and so is unknown.
    func isOrderedByApp(_ table: String) throws(GodwitError) -> Bool {
        for index in try rows("PRAGMA index_list(\(quoted(table)))") where try isOrderedByApp(index: index[1].readable)
        {
            return true
        }
        return false
    }

    func isOrderedByApp(index: String) throws(GodwitError) -> Bool {
        // seqno, cid, name, desc, coll, key: https://sqlite.org/pragma.html#pragma_index_xinfo
        try rows("PRAGMA index_xinfo(\(quoted(index)))").contains {
            $0[4] != .null && !AppCollations.isOfSQLite($0[4].readable)
        }
    }
}
