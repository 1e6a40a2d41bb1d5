import GodwitFiles
import GodwitSQLite
import GodwitExport

extension ReadingThreads {
    /// Two threads that take rows alternately, for any table.
    static func sharing(_ readers: StoreReaders) -> ReadingThreads {
        var threads = ReadingThreads(readers)
        (threads.count, threads.fewest, threads.rangeSize) = (2, 0, 1)
        return threads
    }

    /// The same, but the second thread reads everything before the first begins.
    static func leavingAllToTheOther(_ readers: StoreReaders) -> ReadingThreads {
        var threads = sharing(readers)
        threads.start = { work in
            WorkerThread(work)?.join()
            return nil
        }
        return threads
    }
}
