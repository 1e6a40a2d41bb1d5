internal import GodwitSQLite
internal import CSystemShim

/// The bound on what SQLite may take of the process's memory.
package enum SQLiteMemory {
    /// Maximum: the memory for the largest value that is read.
    private static let most: Int64 = 1 << 30
    /// Address space for threads' stacks and their allocations, if the process has a limit on addresses.
    private static let leftToOthers: Int64 = 64 << 20

    /// Sets the bound for the whole process: a store that asks for more is refused (65) instead of the process being
    /// killed for it.
    ///
    /// For a command that is a process of its own; an app that uses the library has memory and limits of its own.
    /// <https://sqlite.org/c3ref/hard_heap_limit64.html>
    package static func limitForProcess() {
        let left = godwit_addresses_left()
        if left >= 0 { godwit_share_one_heap() }
        SQLiteHardening.limitHeap(toBytes: bound(whenLeft: left))
    }

    /// The bound of a process that may take so many more bytes of addresses; negative for any.
    ///
    /// SQLite reports missing memory and continues, but Swift objects end the process. So SQLite must reach its limit
    /// first.
    package static func bound(whenLeft left: Int64) -> Int64 {
        left < 0 ? most : min(most, max(left / 2, left - leftToOthers))
    }
}
