package import GodwitModel
internal import CSQLiteShim

/// Takes the rows of a statement as the arguments of a function that SQLite calls for each of them.
///
/// A function gets all values of a row at once, where a cursor asks for one column after the other, each time whether the
/// statement stands on a row and whether memory ran out: with ten columns that takes as long as to read them.
///
/// Invariant: the values are used inside the call alone, as <https://sqlite.org/c3ref/value.html> asks for.
final class RowReceiver {
    /// An aggregate, so that one step goes through all rows.
    static let function = "godwit_rows"
    /// The most arguments: SQLite takes up to 127, <https://sqlite.org/limits.html>.
    static let mostColumns = 100

    typealias Body = (RowValues) throws(GodwitError) -> Bool

    /// Who takes the rows that come now.
    ///
    /// Unmanaged, since it would be counted anew at each row; `receive` keeps it.
    @exclusivity(unchecked) private var reception: Unmanaged<Reception>?

    /// Makes the function known to a handle, which must be closed before this object goes.
    ///
    /// No schema can use it, and no statement but one of `scan`: it does nothing without a body.
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

    /// Hands the rows of what an action runs to somebody; false, and nothing is run, inside another such action.
    func receive(
        _ reception: Reception, _ action: () throws(GodwitError) -> Void
    ) throws(GodwitError) -> Bool {
        guard self.reception == nil else { return false }
        self.reception = .passUnretained(reception)
        defer { self.reception = nil }
        try withExtendedLifetime(reception) { () throws(GodwitError) in try action() }
        return true
    }

    /// Takes the rows of one statement.
    final class Reception {
        private let body: Body
        private let values: RowValues
        /// What the body threw.
        @exclusivity(unchecked) private(set) var failure: GodwitError?
        /// Whether the body wanted no more rows.
        @exclusivity(unchecked) private(set) var isEnded = false

        init(columns: Int, _ body: @escaping Body) { (self.body, values) = (body, RowValues(count: columns)) }

        /// Whether another row is wanted.
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
    /// Shows each row of a table to a body, in the order in which SQLite goes through it, for as long as that returns true.
    ///
    /// - Parameters:
    ///   - columns: those that are shown, ready for SQL.
    ///   - source: the table, ready for SQL, and how it is read.
    ///   - body: must not keep what the values point to.
    /// - Returns: whether all rows were shown; false also for a store in UTF-16, whose texts have to be converted first.
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

    /// Runs a statement whose rows are handed over.
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
