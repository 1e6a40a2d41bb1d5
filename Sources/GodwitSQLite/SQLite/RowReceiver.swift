package import GodwitModel
internal import CSQLiteShim

/// Receives the rows of a statement as arguments of a function that SQLite calls for each row.
///
/// A function gets all values of a row at once. A cursor asks for each column, and each time checks if there is a
/// current row and if memory ran out: with ten columns, that takes as long as reading them.
/// Invariant: the values are used only inside the call, as <https://sqlite.org/c3ref/value.html> requires.
final class RowReceiver {
    /// An aggregate, so that one step processes all rows.
    static let function = "godwit_rows"
    /// Maximum number of arguments; SQLite allows up to 127, <https://sqlite.org/limits.html>.
    static let mostColumns = 100

    typealias Body = (RowValues) throws(GodwitError) -> Bool

    /// The receiver of the current rows.
    ///
    /// Unmanaged, because Swift would count references for each row; `receive` retains it.
    @exclusivity(unchecked) private var reception: Unmanaged<Reception>?

    /// Registers the function on a handle, which must be closed before this object is released.
    ///
    /// Schemas cannot use it, and only statements of `scan` do: without a body it does nothing.
    func register(on handle: OpaquePointer) {
        sqlite3_create_function_v2(
            handle, Self.function, -1, SQLITE_UTF8 | SQLITE_DIRECTONLY, Unmanaged.passUnretained(self).toOpaque(), nil,
            { context, count, arguments in
                guard let context, let arguments, let receiver = sqlite3_user_data(context) else { return }
                let isWanted = Unmanaged<RowReceiver>.fromOpaque(receiver)._withUnsafeGuaranteedRef {
                    $0.reception?._withUnsafeGuaranteedRef { $0.take(arguments, Int(count)) } ?? false
                }
                if !isWanted { sqlite3_result_error(context, "ended", -1) }
            }, { sqlite3_result_null($0) }, nil)
    }

    /// Runs an action and passes its rows to a receiver; false, without running it, inside another such action.
    func receive(
        _ reception: Reception, _ action: () throws(GodwitError) -> Void
    ) throws(GodwitError) -> Bool {
        guard self.reception == nil else { return false }
        self.reception = .passUnretained(reception)
        defer { self.reception = nil }
        try withExtendedLifetime(reception) { () throws(GodwitError) in try action() }
        return true
    }

    /// Receives the rows of one statement.
    final class Reception {
        private let body: Body
        private let values: RowValues
        /// The error of the body.
        @exclusivity(unchecked) private(set) var failure: GodwitError?
        /// Whether the body wanted no more rows.
        @exclusivity(unchecked) private(set) var isEnded = false

        init(columns: Int, _ body: @escaping Body) { (self.body, values) = (body, RowValues(count: columns)) }

        /// Returns whether another row is wanted.
        fileprivate func take(_ arguments: UnsafeMutablePointer<OpaquePointer?>, _ count: Int) -> Bool {
            guard count == values.count else { return false }
            values.read(arguments)
            do throws(GodwitError) {
                if try body(values) { return true }
                isEnded = true
            } catch {
                failure = error
            }
            return false
        }
    }
}

extension SQLiteConnection {
    /// Passes each row of a table to a body, in SQLite's order, as long as the body returns true.
    ///
    /// - Parameters:
    ///   - columns: the columns to read, quoted for SQL.
    ///   - source: the table, quoted for SQL, and how to read it.
    ///   - body: must not keep pointers to the values.
    ///
    /// - Returns: whether all rows were read; false also for a store in UTF-16, whose text must be converted first.
    package func scan(
        _ columns: [String], from source: String, _ body: (RowValues) throws(GodwitError) -> Bool
    ) throws(GodwitError) -> Bool {
        guard try !isUTF16 else { return false }
        let list = columns.joined(separator: ", ")
        if let receiver = owner?.receiver, columns.count <= RowReceiver.mostColumns {
            let isComplete = try withoutActuallyEscaping(body) { body throws(GodwitError) -> Bool? in
                let reception = RowReceiver.Reception(columns: columns.count, body)
                let isReceived = try receiver.receive(reception) { () throws(GodwitError) in
                    try run("SELECT \(RowReceiver.function)(\(list)) FROM \(source)", for: reception)
                }
                return isReceived ? !reception.isEnded : nil
            }
            if let isComplete { return isComplete }
        }
        let rows = try prepare("SELECT \(list) FROM \(source)")
        let values = RowValues(count: columns.count)
        while try rows.step() {
            guard values.read(rows), try body(values) else { return false }
        }
        return true
    }

    private func run(_ sql: String, for reception: RowReceiver.Reception) throws(GodwitError) {
        let statement = try prepare(sql)
        do throws(GodwitError) {
            while try statement.step() {}
        } catch {
            if let failure = reception.failure { throw failure }
            if !reception.isEnded { throw error }
        }
    }
}
