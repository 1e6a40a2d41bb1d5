package import GodwitFiles
package import GodwitModel
internal import CSQLiteShim

/// Whether a store is sound, asked by as many threads as there are processors, each on a connection of its own.
///
/// All of them see one state of the store: nobody can commit to one in place for as long as one connection of this
/// process holds its read lock, which the system gives to the process (<https://sqlite.org/howtocorrupt.html>, 2.2), and
/// nobody else knows of a clone. So a check may also run beside the reading of the same store, and what was read is good
/// for nothing until the check has come to its end.
package struct SoundnessCheck: Sendable {
    /// The bytes from which on a store is large: `integrity_check` takes less than 0.1 s for one of 4 MiB.
    package static let large: Int64 = 4 << 20
    /// The most threads: each connection has a cache of up to 2 MB.
    package static let mostThreads = 4
    /// The longest value, in bytes, that a check beside other work reads.
    package static let longestBesideOthers: Int32 = 4 << 20

    private let path: String
    private let name: String
    private let stage: Stage
    private let busyMilliseconds: Int
    private let cancellation: Cancellation
    private let mayRecover: Bool
    /// The file that the first reader has open; nil where that is no longer at the path.
    private let file: FileStatus?
    /// The bytes from which on a store is large.
    package var size = SoundnessCheck.large
    package var threads = min(Processors.count, SoundnessCheck.mostThreads)
    /// What starts a thread.
    package var startThread: @Sendable (@escaping @Sendable () -> Void) -> WorkerThread? = { WorkerThread($0) }

    /// A check of what a reader has open, which must stay open until it is over.
    ///
    /// - Parameters:
    ///   - path: what the reader was opened from, and the rest as it was given to it.
    package init(
        of reader: borrowing SQLiteReader, path: String, name: String, stage: Stage, busyMilliseconds: Int,
        cancellation: Cancellation, mayRecover: Bool
    ) {
        self.path = path
        self.name = name
        self.stage = stage
        self.busyMilliseconds = busyMilliseconds
        self.cancellation = cancellation
        self.mayRecover = mayRecover
        let status = try? FileStatus.of(path)
        file = reader.connection.isInPlace ? status : nil
    }

    /// Throws (65) unless the store is sound; on connections of its own, so that any thread may call it.
    ///
    /// 75 where another file has been put in the place of the store.
    ///
    /// - Parameters:
    ///   - isBesideOthers: whether others hold large values meanwhile, so that it throws for one.
    ///   - sums: what others who read the same state find out meanwhile.
    ///   - findings: shown what is found of each index, as soon as it is.
    /// - Returns: the tables that were proven by scans, without `integrity_check`.
    @discardableResult
    package func run(
        isBesideOthers: Bool = false, sums: RecordSums? = nil, findings: IndexFindings? = nil
    ) throws(GodwitError) -> [String] {
        let longest = isBesideOthers ? Self.longestBesideOthers : nil
        guard let reader = try open(longest) else {
            throw GodwitError(
                stage, .busy, "\(name) was replaced by another file while it was read.",
                hint: "Run the same command again.")
        }
        return try run(on: reader, longest, sums, findings)
    }

    /// The same with the help of a reader that is open already and not in use meanwhile.
    @discardableResult
    package func run(
        on reader: borrowing SQLiteReader, findings: IndexFindings? = nil
    ) throws(GodwitError) -> [String] {
        try run(on: reader, nil, nil, findings)
    }

    private func run(
        on reader: borrowing SQLiteReader, _ longest: Int32?, _ sums: RecordSums?, _ findings: IndexFindings?
    ) throws(GodwitError) -> [String] {
        try cancellation.check(stage)
        let plan = try IntegrityPlan(reader.connection, largeFrom: size)
        let order = plan.order(forThreads: threads)
        let parts = order.map { plan.parts[$0] }
        findings?.begin(parts)
        let work = SharedWork<SQLiteConnection, IntegrityPlan.Outcome?>(parts.count) {
            part, connection throws(GodwitError) in
            guard parts[part].table(promisedBy: sums) == nil else { return nil }
            let outcome = try connection.perform(parts[part])
            findings?.take(outcome, of: parts[part])
            return outcome
        }
        let found = try work.perform(with: reader.connection, threads: threads, startThread: startThread) {
            // Who can't open the store does not help: the work is done by those who can.
            guard let own = try? open(longest) else { return nil }
            return own.connection
        }
        var outcomes = [IntegrityPlan.Outcome](repeating: .untold, count: parts.count)
        for (number, (part, outcome)) in zip(order, zip(parts, found)) {
            if let outcome {
                outcomes[number] = outcome
            } else if let table = part.table(promisedBy: sums), let kept = sums?.wait(for: table) {
                outcomes[number] = .records(kept)
            } else {
                outcomes[number] = try reader.connection.perform(part)
            }
        }
        return try reader.connection.settle(plan, outcomes)
    }

    /// A connection of one more reader of the same state that reads tables from front to back, for any thread, open for as
    /// long as a copy of it lives; nil where another file has been put in the place of the store.
    ///
    /// It reads no value of more than `longestBesideOthers`.
    package func scanningConnection() throws(GodwitError) -> SQLiteConnection? {
        guard let reader = try open(Self.longestBesideOthers, isScanning: true) else { return nil }
        return reader.connection
    }

    /// One more reader of the same state, for any thread; nil where another file has been put in the place of the store.
    ///
    /// - Parameters:
    ///   - longest: the longest value, in bytes, that it reads; nil for any.
    ///   - isScanning: whether it reads tables from front to back alone.
    func open(_ longest: Int32?, isScanning: Bool = false) throws(GodwitError) -> SQLiteReader? {
        let reader = try SQLiteReader(
            path: path, name: name, stage: stage, busyMilliseconds: busyMilliseconds, cancellation: cancellation,
            mayRecover: mayRecover, longestValue: longest, isScanning: isScanning)
        guard let file, try FileStatus.of(path)?.isSameFile(as: file) == true, reader.connection.isInPlace else {
            return nil
        }
        return reader
    }
}

extension IntegrityPlan.Part {
    /// The table that somebody else reads for this part; nil for a part that is to be done here.
    fileprivate func table(promisedBy sums: RecordSums?) -> String? {
        guard case .records(let table) = self, let sums, sums.isPromised(table.name) else { return nil }
        return table.name
    }
}

extension SQLiteConnection {
    /// Whether the file that is open is still the one at its path: <https://sqlite.org/c3ref/c_fcntl_begin_atomic_write.html>.
    fileprivate var isInPlace: Bool {
        var hasMoved: Int32 = 1
        let code = sqlite3_file_control(handle, "main", SQLITE_FCNTL_HAS_MOVED, &hasMoved)
        return code == SQLITE_OK && hasMoved == 0
    }
}
