import GodwitFiles
import GodwitSQLite
import GodwitExport

extension ReadingThreads {
    /// Two threads for any table, which take rows in turn.
    static func sharing(_ readers: SoundnessCheck) -> ReadingThreads {
        var threads = ReadingThreads(readers)
        (threads.count, threads.fewest, threads.rangeSize) = (2, 0, 1)
        return threads
    }

    /// The same, where the second one has read all before the first one begins.
    static func leavingAllToTheOther(_ readers: SoundnessCheck) -> ReadingThreads {
        var threads = sharing(readers)
        threads.start = { work in
            WorkerThread(work)?.join()
            return nil
        }
        return threads
    }
}
