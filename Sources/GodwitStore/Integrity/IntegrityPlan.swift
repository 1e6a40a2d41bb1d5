internal import GodwitModel

/// What it takes to find a store sound, in parts that can run side by side, each on a connection of its own.
///
/// In a small store that is `integrity_check`. It seeks each row of a table in each of its indexes, which takes seconds
/// where keys are random and the store is larger than SQLite's cache. A large one is checked by `quick_check`, which
/// leaves out nothing but the indexes' contents (<https://sqlite.org/pragma.html#pragma_quick_check>), and each index is
/// read once, in its own order. Its entries must ascend, so that seeking finds each, and be those that a scan of the
/// table asks for, no more and no fewer: that is what `integrity_check` proves.
///
/// Where this proof fails, for whatever reason, `integrity_check` decides: nothing is called damaged but by SQLite itself,
/// in its own words.
struct IntegrityPlan: Sendable {
    enum Part: Sendable {
        /// `integrity_check` with this argument.
        case wholly(String)
        /// `quick_check` with this argument.
        case quickly(String)
        case readThrough(table: String)
        case records(TableLayout)
        case entries(IndexLayout, TableLayout)
    }

    enum Outcome: Sendable, Equatable {
        case sound
        case records([EntrySum])
        case entries(EntrySum)
        /// There may be damage: `integrity_check` has to say.
        case untold
    }

    /// A table with the parts that tell of it.
    private struct Proof {
        let table: TableLayout
        let records: Int
        let entries: Range<Int>
    }

    private(set) var parts: [Part] = []
    private var proofs: [Proof] = []

    /// - Parameter size: the bytes from which on a store is large.
    init(_ connection: SQLiteConnection, largeFrom size: Int64) throws(GodwitError) {
        let tables = try connection.rows("SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0")
            .map { $0[0].readable }
        var computing: Set<String> = []
        for table in tables where try connection.computesExpressions(table) { computing.insert(table) }
        if try connection.bytes >= size, try !connection.isUTF16, try connection.knows(tables) {
            try planLarge(connection, tables, computing)
        }
        if proofs.isEmpty { planSmall(tables, computing) }
    }

    private mutating func planSmall(_ tables: [String], _ computing: Set<String>) {
        guard !computing.isEmpty else {
            parts = [.wholly("3")]
            return
        }
        parts = tables.map { table in
            let isRead = computing.contains(table) || Self.isNumber(table)
            return isRead ? .readThrough(table: table) : .wholly(quoted(table))
        }
    }

    private mutating func planLarge(
        _ connection: SQLiteConnection, _ tables: [String], _ computing: Set<String>
    ) throws(GodwitError) {
        if computing.isEmpty {
            guard !tables.contains(where: Self.isNumber) else { return }
            parts = [.quickly("3")]
        }
        var layouts: [TableLayout] = []
        for table in tables {
            if computing.contains(table) || Self.isNumber(table) {
                parts.append(.readThrough(table: table))
            } else if let layout = try connection.layout(of: table) {
                layouts.append(layout)
                if !computing.isEmpty { parts.append(.quickly(quoted(table))) }
            } else {
                parts.append(.wholly(quoted(table)))
            }
        }
        layouts.removeAll { $0.indexes.isEmpty && $0.primaryKey == nil }
        // The longest first, so that no thread has one left when the others are done.
        var first = parts.count + layouts.count
        for layout in layouts {
            proofs.append(Proof(table: layout, records: parts.count, entries: first..<first + layout.indexes.count))
            parts.append(.records(layout))
            first += layout.indexes.count
        }
        for layout in layouts { parts += layout.indexes.map { .entries($0, layout) } }
    }

    /// The pragmas take a name that begins like a number for the greatest number of findings.
    private static func isNumber(_ table: String) -> Bool {
        table.utf8.first.map { (0x30...0x39).contains($0) || $0 == 0x2B || $0 == 0x2D } ?? false
    }

    /// What `integrity_check` still has to be asked, as its arguments.
    ///
    /// - Parameter outcomes: those of all parts, in their order.
    func doubts(_ outcomes: [Outcome]) -> [String] {
        var doubts: [String] = []
        for case (.quickly(let argument), .untold) in zip(parts, outcomes) { doubts.append(argument) }
        // That one is about the whole store.
        if doubts == ["3"] { return doubts }
        for proof in proofs {
            let held = outcomes[proof.entries].map(\.entries)
            let isProven = outcomes[proof.records].records.map { $0.map(Optional.some) == held } ?? false
            let argument = quoted(proof.table.name)
            if !isProven, !doubts.contains(argument) { doubts.append(argument) }
        }
        return doubts
    }

    /// The tables of which this can be a proof by scans.
    var tables: [String] { proofs.map(\.table.name) }
}

extension IntegrityPlan.Outcome {
    fileprivate var records: [EntrySum]? {
        if case .records(let sums) = self { sums } else { nil }
    }

    fileprivate var entries: EntrySum? {
        if case .entries(let sum) = self { sum } else { nil }
    }
}

extension SQLiteConnection {
    /// Does one part; 65 where SQLite calls the store damaged.
    func perform(_ part: IntegrityPlan.Part) throws(GodwitError) -> IntegrityPlan.Outcome {
        do throws(GodwitError) {
            switch part {
            case .wholly(let argument): try requireSound("integrity_check(\(argument))")
            case .quickly(let argument): try requireSound("quick_check(\(argument))")
            case .readThrough(let table): try readThrough(table)
            case .records(let table): return try sumRecords(of: table).map { .records($0) } ?? .untold
            case .entries(let index, let table):
                return try sumEntries(of: index, in: table).map { .entries($0) } ?? .untold
            }
            return .sound
        } catch {
            switch part {
            case .wholly, .readThrough: throw error
            // SQLite 3.40's quick_check finds NULL where there is none, in tables WITHOUT ROWID whose key is not their
            // first columns.
            case .quickly, .records, .entries:
                guard error.code == .data else { throw error }
                return .untold
            }
        }
    }

    /// The size of the store by its own account.
    fileprivate var bytes: Int64 {
        get throws(GodwitError) {
            guard case .integer(let size)? = try first("PRAGMA page_size"),
                case .integer(let pages)? = try first("PRAGMA page_count")
            else { return 0 }
            return size * pages
        }
    }

    /// Whether a schema that somebody edited still calls its tables what SQLite calls them, and each by a name of its own.
    fileprivate func knows(_ tables: [String]) throws(GodwitError) -> Bool {
        guard Set(tables.map { $0.lowercased() }).count == tables.count else { return false }
        for table in tables {
            guard Value.string(table).isWholeName, try first("PRAGMA table_xinfo(\(quoted(table)))") != nil else {
                return false
            }
        }
        return true
    }
}
