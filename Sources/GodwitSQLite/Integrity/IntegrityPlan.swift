internal import GodwitModel

/// The parts of an integrity check, which can run in parallel, each on its own connection.
///
/// A small store gets `integrity_check`. That seeks each row of a table in each of its indexes, which takes seconds if
/// keys are random and the store is larger than SQLite's cache. A large store gets `quick_check`, which omits only the
/// contents of indexes (<https://sqlite.org/pragma.html#pragma_quick_check>), and one scan of each index in its own
/// order. The entries must ascend, so that a seek finds each of them, and must be exactly those of a scan of the table.
/// `integrity_check` proves the same.
/// If this proof fails for any reason, `integrity_check` decides: only SQLite calls a store damaged, in its own words.
/// `integrity_check` must not run on a table if it would evaluate expressions, misread the table, or need an order that
/// only the app knows. Such a table gets `quick_check`, which evaluates only virtual columns and needs an order only
/// for tables WITHOUT ROWID. Its records are sought in each index that has an order of SQLite's own.
struct IntegrityPlan: Sendable {
    enum Part: Sendable {
        case wholly(String)
        /// `quick_check` with this argument; after a finding, `integrity_check` decides.
        case quickly(String)
        case structure(String)
        case readThrough(table: String)
        case seeks(table: String)
        case records(TableLayout)
        case entries(IndexLayout, TableLayout)

        var isOfIndex: Bool { if case .entries = self { true } else { false } }
    }

    enum Outcome: Sendable, Equatable {
        case sound
        case records([EntrySum])
        case entries(IndexEntries)
        /// There may be damage; `integrity_check` decides.
        case undecided
    }

    /// A table, and the parts that prove its indexes.
    private struct Proof {
        let table: TableLayout
        let records: Int
        let entries: Range<Int>
    }

    private(set) var parts: [Part] = []
    private var proofs: [Proof] = []
    /// Tables that `integrity_check` may read.
    private let plain: [String]
    /// Tables that it may not read; `computed` are those that `quick_check` may not read either.
    private let computing: [String]
    private let computed: [String]

    /// - Parameter size: the smallest size of a large store, in bytes.
    init(_ connection: SQLiteConnection, largeFrom size: Int64) throws(GodwitError) {
        let tables = try connection.rows("SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0")
            .map { $0[0].readable }
        var computing: [String] = []
        var computed: [String] = []
        for table in tables {
            let isComputing = try connection.computesExpressions(table)
            let isMisread = try connection.isMisread(table)
            let isOrderedByApp = try connection.isOrderedByApp(table)
            if isComputing || isMisread || isOrderedByApp { computing.append(table) }
            var isComputed = try connection.computesColumns(table)
            if isOrderedByApp, let key = try connection.primaryKey(withoutRowid: table) {
                isComputed = isComputed ? true : try connection.isOrderedByApp(index: key)
            }
            if isComputed { computed.append(table) }
        }
        // In a store that computes something, each table is named in the pragma, so a name that is a number cannot be
        // checked.
        if !computing.isEmpty {
            let numbers = tables.filter { Self.isNumber($0) && !computing.names($0) }
            computing += numbers
        }
        (self.computing, self.computed) = (computing, computed)
        plain = tables.filter { !computing.names($0) }
        if try connection.bytes >= size, try !connection.isUTF16, try connection.knows(tables) {
            try planLarge(connection)
        }
        if proofs.isEmpty { planSmall() }
    }

    private mutating func planSmall() {
        guard !computing.isEmpty else {
            parts = [.wholly("3")]
            return
        }
        parts = structure(of: computing) + plain.map { .wholly(quoted($0)) }
        for table in computing { parts += [.readThrough(table: table), .seeks(table: table)] }
    }

    private mutating func planLarge(_ connection: SQLiteConnection) throws(GodwitError) {
        if computing.isEmpty {
            guard !plain.contains(where: Self.isNumber) else { return }
            parts = [.quickly("3")]
        } else {
            parts = structure(of: computing)
            if !computed.isEmpty { parts += plain.map { .quickly(quoted($0)) } }
        }
        var layouts: [TableLayout] = []
        for table in plain {
            guard let layout = try connection.layout(of: table) else {
                parts.append(.wholly(quoted(table)))
                continue
            }
            layouts.append(layout)
        }
        for table in computing {
            parts.append(.readThrough(table: table))
            guard let layout = try connection.layout(of: table) else {
                parts.append(.seeks(table: table))
                continue
            }
            layouts.append(layout)
        }
        layouts.removeAll { $0.indexes.isEmpty && $0.primaryKey == nil }
        var first = parts.count + layouts.count
        for layout in layouts {
            proofs.append(Proof(table: layout, records: parts.count, entries: first..<first + layout.indexes.count))
            parts.append(.records(layout))
            first += layout.indexes.count
        }
        for layout in layouts { parts += layout.indexes.map { .entries($0, layout) } }
    }

    /// `quick_check` of the whole store, which also finds unused pages; only of these tables if it would compute
    /// columns of others.
    private func structure(of tables: [String]) -> [Part] {
        guard !computed.isEmpty else { return [.structure("\(Self.mostFindings)")] }
        return tables.filter { !computed.names($0) && !Self.isNumber($0) }.map { .structure(quoted($0)) }
    }

    /// Maximum number of findings that are read when some of them may be wrong.
    private static let mostFindings = 1000

    /// The pragmas treat a name that begins like a number as the maximum number of findings.
    private static func isNumber(_ table: String) -> Bool {
        table.utf8.first.map { (0x30...0x39).contains($0) || $0 == 0x2B || $0 == 0x2D } ?? false
    }

    /// The parts that must still run; they throw if the store is damaged.
    func doubts(_ outcomes: [Outcome]) -> [Part] {
        if isInDoubt(outcomes) { return [.wholly("3")] }
        let doubtful = doubtful(outcomes)
        return plain.filter(doubtful.names).map { .wholly(quoted($0)) }
            + computing.filter(doubtful.names).map { .seeks(table: $0) }
    }

    /// The tables that scans have proven.
    func proven(_ outcomes: [Outcome]) -> [String] {
        if isInDoubt(outcomes) { return [] }
        let doubtful = doubtful(outcomes)
        return proofs.map(\.table.name).filter { !doubtful.names($0) }
    }

    /// The indexes of the parts in the order in which threads run them.
    ///
    /// Several threads start with the longest parts, so that none has a long part left at the end. For one thread the
    /// order makes no difference, so it starts with the indexes, because another thread may wait for the findings.
    func order(forThreads threads: Int) -> [Int] {
        let numbers = Array(parts.indices)
        guard threads < 2 else { return numbers }
        return numbers.filter { parts[$0].isOfIndex } + numbers.filter { !parts[$0].isOfIndex }
    }

    /// Whether the whole store is in doubt.
    private func isInDoubt(_ outcomes: [Outcome]) -> Bool {
        if case .quickly("3")? = parts.first { outcomes.first == .undecided } else { false }
    }

    private func doubtful(_ outcomes: [Outcome]) -> [String] {
        var tables = proofs.filter { !isProven($0, outcomes) }.map(\.table.name)
        for (part, outcome) in zip(parts, outcomes) where outcome == .undecided {
            switch part {
            case .structure: tables += plain
            case .quickly(let argument): tables += plain.filter { quoted($0) == argument }
            default: break
            }
        }
        return tables
    }

    private func isProven(_ proof: Proof, _ outcomes: [Outcome]) -> Bool {
        let held = outcomes[proof.entries].map(\.entries?.sum)
        return outcomes[proof.records].records.map { $0.map(Optional.some) == held } ?? false
    }
}

extension [String] {
    /// Compares bytes: Swift's strings are equal in every Unicode form, but SQLite has two tables then.
    fileprivate func names(_ table: String) -> Bool { contains { $0.utf8.elementsEqual(table.utf8) } }
}

extension IntegrityPlan.Outcome {
    fileprivate var records: [EntrySum]? {
        if case .records(let sums) = self { sums } else { nil }
    }

    fileprivate var entries: IndexEntries? {
        if case .entries(let found) = self { found } else { nil }
    }
}

extension SQLiteConnection {
    /// Runs one part; throws 65 if SQLite calls the store damaged.
    func perform(_ part: IntegrityPlan.Part) throws(GodwitError) -> IntegrityPlan.Outcome {
        do throws(GodwitError) {
            switch part {
            case .wholly(let argument): try requireSound("integrity_check(\(argument))")
            case .quickly(let argument): try requireSound("quick_check(\(argument))")
            case .structure(let argument): return try requireStructure(argument)
            case .readThrough(let table): try readThrough(table)
            case .seeks(let table): try requireEntries(of: table)
            case .records(let table): return try sumRecords(of: table).map { .records($0) } ?? .undecided
            case .entries(let index, let table):
                return try sumEntries(of: index, in: table).map { .entries($0) } ?? .undecided
            }
            return .sound
        } catch {
            switch part {
            case .wholly, .structure, .readThrough, .seeks: throw error
            // SQLite 3.40's quick_check wrongly finds NULL in tables WITHOUT ROWID whose key is not their first
            // columns.
            case .quickly, .records, .entries:
                guard error.code == .data else { throw error }
                return .undecided
            }
        }
    }

    /// The size of the store by SQLite's page count.
    fileprivate var bytes: Int64 {
        get throws(GodwitError) {
            guard case .integer(let size)? = try first("PRAGMA page_size"),
                case .integer(let pages)? = try first("PRAGMA page_count")
            else { return 0 }
            return size * pages
        }
    }

    /// Whether SQLite finds each table by its name and no two have the same; an edited schema may break that.
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
