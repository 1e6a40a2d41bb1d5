package import GodwitFiles
package import GodwitModel
internal import CSQLiteShim

/// Checks if a store is sound, with one connection per thread.
///
/// All connections see one state of the store. No process can commit to a store in place while a connection of this
/// process has its read lock, which belongs to the process (<https://sqlite.org/howtocorrupt.html>, 2.2); and only this
/// process knows a clone. So a check may run while the same store is read. Data that was read must not be used before
/// the check has passed.
package struct SoundnessCheck: Sendable {
    /// Smallest size of a large store, in bytes: `integrity_check` takes less than 0.1 s for 4 MiB.
    package static let large: Int64 = 4 << 20
    /// Maximum number of threads; each connection has a cache of up to 2 MB.
    package static let mostThreads = 4
    /// Longest value, in bytes, that a check reads while other work runs.
    package static let longestBesideOthers: Int32 = 4 << 20

    private let path: String
    private let name: String
    private let stage: GodwitError.Stage
    private let busyMilliseconds: Int
    private let cancellation: Cancellation
    private let mayRecover: Bool
    /// The file that the first reader has open; nil if it is no longer at the path.
    private let file: FileStatus?
    package var size = SoundnessCheck.large
    package var threads = min(Processors.count, SoundnessCheck.mostThreads)
    package var startThread: @Sendable (@escaping @Sendable () -> Void) -> WorkerThread? = { WorkerThread($0) }

    /// A check of a store that a reader has open; the reader must stay open until the check has ended.
    ///
    /// The other arguments are those of the reader.
    package init(
        of reader: borrowing SQLiteReader, path: String, name: String, stage: GodwitError.Stage, busyMilliseconds: Int,
        cancellation: Cancellation, mayRecover: Bool
    ) {
        (self.path, self.name, self.stage, self.busyMilliseconds) = (path, name, stage, busyMilliseconds)
        (self.cancellation, self.mayRecover) = (cancellation, mayRecover)
        let status = try? FileStatus.of(path)
        file = reader.connection.isInPlace ? status : nil
    }

    /// Throws (65) if the store is not sound; uses its own connections, so any thread may call it.
    ///
    /// Throws 75 if another file has replaced the store.
    ///
    /// - Parameters:
    ///   - isBesideOthers: whether other threads hold large values at the same time; then a large value is an error.
    ///   - sums: sums that readers of the same state compute.
    ///   - findings: receives the findings of each index as soon as they are known.
    ///
    /// - Returns: the tables that scans have proven, without `integrity_check`.
    @discardableResult
    package func run(
        isBesideOthers: Bool = false, sums: RecordSums? = nil, findings: IndexFindings? = nil
    ) throws(GodwitError) -> [String] {
        let longest = isBesideOthers ? Self.longestBesideOthers : nil
        guard let reader = try open(longest) else {
            throw GodwitError(
                stage, .busy, "`\(name)` was replaced by another file while it was read",
                hint: "Run the same command again.")
        }
        return try run(on: reader, longest, sums, findings)
    }

    /// The same, also with an open reader that is not used during the check.
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
            // A thread that cannot open the store does nothing; the others do its work.
            guard let own = try? open(longest) else { return nil }
            return own.connection
        }
        var outcomes = [IntegrityPlan.Outcome](repeating: .undecided, count: parts.count)
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

    /// A connection of another reader of the same state that only scans tables, for any thread; nil if another file has
    /// replaced the store.
    ///
    /// It stays open as long as a copy of it exists. It reads no value of more than `longestBesideOthers` bytes.
    package func scanningConnection() throws(GodwitError) -> SQLiteConnection? {
        guard let reader = try open(Self.longestBesideOthers, isScanning: true) else { return nil }
        return reader.connection
    }

    /// Another reader of the same state, for any thread; nil if another file has replaced the store.
    ///
    /// - Parameter longest: maximum length of a value in bytes; nil for no limit.
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
    /// The table that another reader sums for this part; nil if this check must read it.
    fileprivate func table(promisedBy sums: RecordSums?) -> String? {
        guard case .records(let table) = self, let sums, sums.isPromised(table.name) else { return nil }
        return table.name
    }
}

extension SQLiteConnection {
    /// Whether the open file is still the one at its path: <https://sqlite.org/c3ref/c_fcntl_begin_atomic_write.html>.
    fileprivate var isInPlace: Bool {
        var hasMoved: Int32 = 1
        let code = sqlite3_file_control(handle, "main", SQLITE_FCNTL_HAS_MOVED, &hasMoved)
        return code == SQLITE_OK && hasMoved == 0
    }
}
