internal import CSQLiteShim
internal import GRDB
package import GodwitModel

/// One writing connection to a store, over GRDB.
///
/// Invariant: everything is written inside `transaction`, which begins IMMEDIATE, so that another writer is met before
/// anything was decided, and commits durably: `synchronous=EXTRA` in rollback mode flushes the folder as well after the
/// journal is gone, <https://sqlite.org/pragma.html#pragma_synchronous>.
package final class StoreWriter {
    private let queue: DatabaseQueue
    package let path: String
    private let name: String
    private let context: RunContext

    /// Opens an existing store; it keeps its journal mode.
    package init(
        existing path: String, name: String, stage: Stage, context: RunContext
    ) throws(GodwitError) {
        (self.path, self.name, self.context) = (path, name, context)
        queue = try Self.open(path, name: name, stage: stage, context: context)
        try bridging(stage) {
            try queue.inDatabase { database in
                let mode = try String.fetchOne(database, sql: "PRAGMA journal_mode")
                try database.execute(sql: mode == "wal" ? "PRAGMA synchronous=FULL" : "PRAGMA synchronous=EXTRA")
            }
        }
    }

    /// Makes a new store under a temporary name of Godwit's own, in rollback mode: Debian 12's SQLite still has the
    /// WAL-reset bug that 3.51.3 mends, <https://sqlite.org/wal.html>.
    package init(
        creatingTemporary path: String, name: String, stage: Stage, context: RunContext
    ) throws(GodwitError) {
        (self.path, self.name, self.context) = (path, name, context)
        try OpenFile(creating: path, stage: stage).close()
        queue = try Self.open(path, name: name, stage: stage, context: context)
        try bridging(stage) {
            try queue.inDatabase { database in
                try database.execute(sql: "PRAGMA journal_mode=DELETE")
                try database.execute(sql: "PRAGMA synchronous=EXTRA")
            }
        }
    }

    /// Runs a body in one transaction; any error rolls it back.
    package func transaction<R>(
        _ stage: Stage, _ body: (SQLiteConnection) throws(GodwitError) -> R
    ) throws(GodwitError) -> R {
        var result: R?
        try bridging(stage) {
            try queue.inDatabase { database in
                try database.inTransaction(.immediate) {
                    result = try body(try borrow(database, stage))
                    try context.cancellation.check(stage)
                    return .commit
                }
            }
        }
        guard let result else { throw GodwitError(stage, .bug, "A transaction ended without a result.") }
        return result
    }

    /// Reads outside a transaction.
    package func read<R>(
        _ stage: Stage, _ body: (SQLiteConnection) throws(GodwitError) -> R
    ) throws(GodwitError) -> R {
        var result: R?
        try bridging(stage) {
            try queue.inDatabase { database in result = try body(try borrow(database, stage)) }
        }
        guard let result else { throw GodwitError(stage, .bug, "A read ended without a result.") }
        return result
    }

    /// Checkpoints a WAL store, closes the store and says so if that failed.
    package func close(_ stage: Stage) throws(GodwitError) {
        try bridging(stage) { try queue.close() }
    }

    private static func open(
        _ path: String, name: String, stage: Stage, context: RunContext
    ) throws(GodwitError) -> DatabaseQueue {
        var configuration = Configuration()
        configuration.foreignKeysEnabled = true
        configuration.busyMode = .timeout(Double(context.lockTimeoutMilliseconds) / 1000)
        let cancellation = context.cancellation
        configuration.prepareDatabase { database in
            guard let handle = database.sqliteConnection else { return }
            SQLiteHardening.apply(to: handle, readOnly: false)
            SQLiteHardening.interrupt(handle, when: cancellation)
            try database.execute(sql: "PRAGMA cell_size_check=ON; PRAGMA mmap_size=0")
            #if canImport(Darwin)
                try database.execute(sql: "PRAGMA fullfsync=ON; PRAGMA checkpoint_fullfsync=ON")
            #endif
        }
        do {
            return try DatabaseQueue(path: path, configuration: configuration)
        } catch {
            throw GodwitError.wrapping(error, name: name, stage: stage)
        }
    }

    private func borrow(_ database: Database, _ stage: Stage) throws(GodwitError) -> SQLiteConnection {
        guard let handle = database.sqliteConnection else {
            throw GodwitError(stage, .bug, "The connection to \(name) is closed.")
        }
        return SQLiteConnection(handle: handle, name: name, stage: stage)
    }

    private func bridging(_ stage: Stage, _ body: () throws -> Void) throws(GodwitError) {
        do { try body() } catch { throw GodwitError.wrapping(error, name: name, stage: stage) }
    }
}

extension GodwitError {
    /// Any error from the writing side as Godwit's own.
    static func wrapping(_ error: any Error, name: String, stage: Stage) -> GodwitError {
        switch error {
        case let error as GodwitError: error
        case let error as DatabaseError:
            .sqlite(error.extendedResultCode.rawValue, error.message ?? "", name: name, stage: stage)
        default: GodwitError(stage, .bug, "Something unexpected happened to \(name).", underlying: "\(error)")
        }
    }
}
