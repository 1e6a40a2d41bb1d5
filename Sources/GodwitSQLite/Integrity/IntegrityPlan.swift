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
/// in its own words. A table that it must not be asked about, as it would compute something or misread it, or as an index has
/// an order that only the app knows, is left to `quick_check`, which computes nothing but virtual columns and knows the
/// order of nothing but tables WITHOUT ROWID, and each record is sought in each index whose order is SQLite's.
struct IntegrityPlan: Sendable {
    enum Part: Sendable {
        /// `integrity_check` with this argument.
        case wholly(String)
        /// `quick_check` with this argument, of which `integrity_check` has the last word.
        case quickly(String)
        /// `quick_check` with this argument.
        case structure(String)
        case readThrough(table: String)
        /// Each record of a table in each of its indexes.
        case seeks(table: String)
        case records(TableLayout)
        case entries(IndexLayout, TableLayout)

        var isOfIndex: Bool { if case .entries = self { true } else { false } }
    }

    enum Outcome: Sendable, Equatable {
        case sound
        case records([EntrySum])
        case entries(IndexEntries)
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
    /// What `integrity_check` may be asked about.
    private let plain: [String]
    /// What it may not be asked about, and of these the tables that `quick_check` may not be asked about either.
    private let computing: [String]
    private let computed: [String]

    /// - Parameter size: the bytes from which on a store is large.
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
        // Of a store that computes something, each table is asked about by its name.
        if !computing.isEmpty {
            let numbers = tables.filter { Self.isNumber($0) && !computing.names($0) }
            computing += numbers
        }
        self.computing = computing
        self.computed = computed
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

    /// `quick_check` of the whole store, which also finds pages that belong to nothing; of these tables alone where it
    /// would compute the columns of others.
    private func structure(of tables: [String]) -> [Part] {
        guard !computed.isEmpty else { return [.structure("\(Self.mostFindings)")] }
        return tables.filter { !computed.names($0) && !Self.isNumber($0) }.map { .structure(quoted($0)) }
    }

    /// How many findings are looked at where some of them may be none.
    private static let mostFindings = 1000

    /// The pragmas take a name that begins like a number for the greatest number of findings.
    private static func isNumber(_ table: String) -> Bool {
        table.utf8.first.map { (0x30...0x39).contains($0) || $0 == 0x2B || $0 == 0x2D } ?? false
    }

    /// What still has to be asked, as parts that throw where the store is damaged.
    ///
    /// - Parameter outcomes: those of all parts, in their order.
    func doubts(_ outcomes: [Outcome]) -> [Part] {
        if isInDoubt(outcomes) { return [.wholly("3")] }
        let doubtful = doubtful(outcomes)
        return plain.filter(doubtful.names).map { .wholly(quoted($0)) }
            + computing.filter(doubtful.names).map { .seeks(table: $0) }
    }

    /// The tables that were proven by scans.
    func proven(_ outcomes: [Outcome]) -> [String] {
        if isInDoubt(outcomes) { return [] }
        let doubtful = doubtful(outcomes)
        return proofs.map(\.table.name).filter { !doubtful.names($0) }
    }

    /// The numbers of the parts in the order in which so many threads do them.
    ///
    /// The longest first, so that no thread has one left when the others are done. One thread takes as long in any order: it
    /// begins with the indexes, since somebody may wait for what is found out of them.
    func order(forThreads threads: Int) -> [Int] {
        let numbers = Array(parts.indices)
        guard threads < 2 else { return numbers }
        return numbers.filter { parts[$0].isOfIndex } + numbers.filter { !parts[$0].isOfIndex }
    }

    /// Whether the whole store is.
    private func isInDoubt(_ outcomes: [Outcome]) -> Bool {
        if case .quickly("3")? = parts.first { outcomes.first == .untold } else { false }
    }

    private func doubtful(_ outcomes: [Outcome]) -> [String] {
        var tables = proofs.filter { !isProven($0, outcomes) }.map(\.table.name)
        for (part, outcome) in zip(parts, outcomes) where outcome == .untold {
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
    /// Whether a table is among them, by its bytes: to Swift an `é` is an `é` in whatever way it is written, to SQLite these
    /// are two tables.
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
    /// Does one part; 65 where SQLite calls the store damaged.
    func perform(_ part: IntegrityPlan.Part) throws(GodwitError) -> IntegrityPlan.Outcome {
        do throws(GodwitError) {
            switch part {
            case .wholly(let argument): try requireSound("integrity_check(\(argument))")
            case .quickly(let argument): try requireSound("quick_check(\(argument))")
            case .structure(let argument): return try requireStructure(argument)
            case .readThrough(let table): try readThrough(table)
            case .seeks(let table): try requireEntries(of: table)
            case .records(let table): return try sumRecords(of: table).map { .records($0) } ?? .untold
            case .entries(let index, let table):
                return try sumEntries(of: index, in: table).map { .entries($0) } ?? .untold
            }
            return .sound
        } catch {
            switch part {
            case .wholly, .structure, .readThrough, .seeks: throw error
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
