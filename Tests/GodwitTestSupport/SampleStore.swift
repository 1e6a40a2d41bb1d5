package import GodwitModel
internal import FoundationLite
import GRDB

/// A real SQLite store that a test makes and writes in the role of the app.
///
/// Nothing is hardened and foreign keys are off, as in most apps. The store stays open until it is closed or released,
/// so that a test can keep a transaction open or leave rows in the log.
package final class SampleStore: Sendable {
    package let path: String
    private let queue: DatabaseQueue

    /// Opens or creates a store and runs some SQL.
    ///
    /// - Parameters:
    ///   - journal: `DELETE`, `WAL`, `TRUNCATE` …; nil leaves the mode as it is.
    ///   - encoding: `UTF-8`, `UTF-16le` or `UTF-16be`, for new stores.
    ///   - cachePages: pages kept in memory; with few, a large transaction is written to the file before it is
    ///     committed.
    package init(
        _ path: String, journal: String? = nil, encoding: String? = nil, cachePages: Int? = nil, _ sql: String = ""
    ) throws {
        self.path = path
        var configuration = Configuration()
        configuration.foreignKeysEnabled = false
        // SQLite's own default.
        configuration.acceptsDoubleQuotedStringLiterals = true
        configuration.allowsUnsafeTransactions = true
        configuration.prepareDatabase { database in
            if let encoding { try database.execute(sql: "PRAGMA encoding='\(encoding)'") }
            if let cachePages { try database.execute(sql: "PRAGMA cache_size=\(cachePages)") }
        }
        queue = try DatabaseQueue(path: path, configuration: configuration)
        if let journal { try execute("PRAGMA journal_mode=\(journal)") }
        if !sql.isEmpty { try execute(sql) }
    }

    /// Makes a store, runs some SQL and closes it.
    package static func make(
        _ path: String, journal: String? = nil, encoding: String? = nil, _ sql: String
    ) throws {
        try SampleStore(path, journal: journal, encoding: encoding, sql).close()
    }

    /// Runs statements outside of any transaction, except those they begin themselves.
    package func execute(_ sql: String, _ values: [Value] = []) throws {
        let arguments = StatementArguments(values.map(\.sample))
        try queue.inDatabase { try $0.execute(sql: sql, arguments: arguments) }
    }

    /// All rows of a query, in its order.
    package func rows(_ sql: String, _ values: [Value] = []) throws -> [[Value]] {
        let arguments = StatementArguments(values.map(\.sample))
        return try queue.inDatabase { database in
            try Row.fetchAll(database, sql: sql, arguments: arguments).map { row in
                row.databaseValues.map(Value.init(sample:))
            }
        }
    }

    /// The first column of the first row, as text.
    package func text(_ sql: String) throws -> String? { try rows(sql).first?.first?.readable }

    /// The first column of the first row as a whole number; 0 if there is none.
    package func integer(_ sql: String) throws -> Int64 {
        guard case .integer(let number)? = try rows(sql).first?.first else { return 0 }
        return number
    }

    /// Closes the store; SQLite then checkpoints and removes the log of a WAL store, as for each last connection.
    package func close() throws { try queue.close() }
}

extension Value {
    /// The value in the form that GRDB binds.
    fileprivate var sample: DatabaseValue {
        switch self {
        case .null: .null
        case .integer(let number): number.databaseValue
        case .real(let number): number.databaseValue
        case .text(let bytes): String(decoding: bytes, as: UTF8.self).databaseValue
        case .blob(let bytes): Data(bytes).databaseValue
        }
    }

    fileprivate init(sample: DatabaseValue) {
        switch sample.storage {
        case .null: self = .null
        case .int64(let number): self = .integer(number)
        case .double(let number): self = .real(number)
        case .string(let text): self = .string(text)
        case .blob(let data): self = .blob(Array(data))
        }
    }
}
