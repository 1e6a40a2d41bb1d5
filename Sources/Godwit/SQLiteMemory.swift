internal import GodwitStore

/// The bound on what SQLite may take of the process's memory.
package enum SQLiteMemory {
    /// Sets the bound for the whole process: a store that asks for more is refused (65) instead of the process being
    /// killed for it.
    ///
    /// For a command that is a process of its own; an app that uses the library has memory and limits of its own. A
    /// GiB is what the largest value that is read takes. <https://sqlite.org/c3ref/hard_heap_limit64.html>
    package static func limitForProcess() { SQLiteHardening.limitHeap(toBytes: 1 << 30) }
}
