internal import GodwitFiles
package import GodwitModel
internal import CSQLiteShim

/// Opens further readers of a store that a reader has open, for other threads.
///
/// All connections see one state of the store. No process can commit to a store in place while a connection of this
/// process has its read lock, which belongs to the process (<https://sqlite.org/howtocorrupt.html>, 2.2); and only this
/// process knows a clone. So a check may run while the same store is read. Data that was read must not be used before
/// the check has passed.
package struct StoreReaders: Sendable {
    /// Longest value, in bytes, that a further reader reads while other work runs.
    package static let longestBesideOthers: Int32 = 4 << 20

    private let path: String
    private let name: String
    private let stage: GodwitError.Stage
    private let busyMilliseconds: Int
    private let cancellation: Cancellation
    private let mayRecover: Bool
    /// The file that the first reader has open; nil if it is no longer at the path.
    private let file: FileStatus?

    /// The first reader must stay open as long as others may be opened; the other arguments are those of that reader.
    package init(
        of reader: borrowing SQLiteReader, path: String, name: String, stage: GodwitError.Stage, busyMilliseconds: Int,
        cancellation: Cancellation, mayRecover: Bool
    ) {
        (self.path, self.name, self.stage, self.busyMilliseconds) = (path, name, stage, busyMilliseconds)
        (self.cancellation, self.mayRecover) = (cancellation, mayRecover)
        let status = try? FileStatus.of(path)
        file = reader.connection.isInPlace ? status : nil
    }

    /// Throws (65) if the store is not sound; uses its own connection, so any thread may call it.
    ///
    /// Throws 75 if another file has replaced the store.
    ///
    /// - Parameter isBesideOthers: whether other threads hold large values at the same time; then a large value is an
    ///   error.
    package func checkIntegrity(_ depth: IntegrityDepth, isBesideOthers: Bool = false) throws(GodwitError) {
        guard let reader = try open(isBesideOthers ? Self.longestBesideOthers : nil) else {
            throw GodwitError(
                stage, .busy, "`\(name)` was replaced by another file while it was read",
                hint: "Run the same command again.")
        }
        try cancellation.check(stage)
        try reader.checkIntegrity(depth)
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

extension SQLiteConnection {
    /// Whether the open file is still the one at its path: <https://sqlite.org/c3ref/c_fcntl_begin_atomic_write.html>.
    fileprivate var isInPlace: Bool {
        var hasMoved: Int32 = 1
        let code = sqlite3_file_control(handle, "main", SQLITE_FCNTL_HAS_MOVED, &hasMoved)
        return code == SQLITE_OK && hasMoved == 0
    }
}
