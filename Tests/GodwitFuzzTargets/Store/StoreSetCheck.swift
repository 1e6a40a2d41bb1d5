internal import GodwitJSON
package import GodwitModel
import GodwitSQLite

/// A store with its log and journal, read as every command reads a store that Godwit must not change.
///
/// The originals keep their bytes and dates, no file remains next to them or in the scratch folder, a file named in the
/// journal stays, and a store that passed the integrity check reads the same twice.
package enum StoreSetCheck {
    static func run(_ bytes: [UInt8]) throws(FuzzFinding) { _ = try outcome(of: bytes) }

    /// The number of records in a set's tables, or why the set is rejected; nil for an empty input.
    package static func outcome(of bytes: [UInt8]) throws(FuzzFinding) -> Result<Int64, GodwitError>? {
        guard let input = StoreSetInput(bytes) else { return nil }
        let bench = try StoreBench()
        try bench.write(input)
        let before = try bench.files()
        let outcome: Result<Int64, GodwitError>
        do throws(GodwitError) {
            outcome = .success(try read(bench.store, identifier: bench.identifier))
        } catch {
            try check(error)
            outcome = .failure(error)
        }
        let after = try bench.files()
        let changed = Set(before.keys).union(after.keys).filter { before[$0] != after[$0] }
        try require(changed.isEmpty, "changed: \(changed.sorted())")
        try require(bench.leftovers.isEmpty, "left behind: \(bench.leftovers)")
        return outcome
    }

    /// Opens and checks the store, and reads every row of every table.
    private static func read(_ path: String, identifier: String) throws(GodwitError) -> Int64 {
        let context = RunContext(now: .epoch, makeIdentifier: { identifier }, lockTimeoutMilliseconds: 0)
        let snapshot = try StoreSnapshot(of: path, name: "fuzz.store", stage: .copy, context: context)
        let shape = try snapshot.connection.readShape()
        var records: Int64 = 0
        for table in shape.tables { records += try readTwice(table, in: snapshot.connection) }
        return records
    }

    /// Checks the code a store is rejected with; the message may name tables, which the command line escapes.
    static func check(_ error: GodwitError) throws(FuzzFinding) {
        let codes: [GodwitError.Code] = [.data, .noInput]
        try require(codes.contains(error.code), "refused with \(error.code): \(error.description)")
        try require(!error.message.isEmpty && error.hint != nil, "refused without a word: \(error.description)")
    }

    /// Reads the rows in stored order and in the order of a column, as exports do; throws `bug` if the two differ.
    private static func readTwice(_ table: TableShape, in connection: SQLiteConnection) throws(GodwitError) -> Int64 {
        let columns = table.storedColumns
        guard let key = columns.first else { return 0 }
        let names = columns.map { quoted($0.name) }.joined(separator: ", ")
        let plain = "SELECT \(names) FROM \(try connection.source(table.name)) "
        let rows = try sum(of: plain, in: connection)
        let ordered = try sum(of: plain + "ORDER BY \(quoted(key.name)) COLLATE BINARY", in: connection)
        let count = try connection.countRecords(of: table.name)
        guard rows == ordered, count == rows.count else {
            throw GodwitError(.copy, .bug, "one table, two contents: \(rows), \(ordered), \(count) records", hint: "-")
        }
        return count
    }

    private struct Sum: Equatable {
        var count: Int64 = 0
        var bytes = 0
        /// A sum that does not depend on the order.
        var hash = 0
    }

    private static func sum(of sql: String, in connection: SQLiteConnection) throws(GodwitError) -> Sum {
        let cursor = try connection.prepare(sql)
        var sum = Sum()
        var buffer = JSONBuffer()
        while try cursor.step() {
            sum.count += 1
            buffer.removeAll()
            for column in 0..<cursor.columnCount { cursor.write(column: column, to: &buffer) }
            sum.bytes += buffer.count
            sum.hash &+= buffer.bytes.hashValue
        }
        return sum
    }
}
