package import GodwitStore

/// How many threads compare two stores row by row, and how they share the work.
package struct RowThreads: Sendable {
    /// The calling one included.
    package var count = min(Processors.count, 3)
    /// How many numbers of rows are worth a range of their own.
    package var rangeSize: UInt64 = 1 << 14
    /// What starts a thread.
    package var start: @Sendable (@escaping @Sendable () -> Void) -> WorkerThread? = { WorkerThread($0) }

    package init() {}
}
