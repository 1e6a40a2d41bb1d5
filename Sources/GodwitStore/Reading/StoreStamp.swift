package import GodwitModel

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Tells whether anybody has committed to a store since the stamp was taken.
///
/// In rollback mode a commit changes the counter in the header, <https://sqlite.org/fileformat2.html#file_change_counter>;
/// in WAL mode it writes to the log. A log that is empty counts as none.
package struct StoreStamp: Sendable, Equatable {
    private let head: [UInt8]
    private let size: Int64
    private let log: [Int64]

    package init(of path: String, stage: Stage) throws(GodwitError) {
        let file = try OpenFile(reading: path, stage: stage)
        var first = [UInt8](repeating: 0, count: 100)
        _ = retryingInterrupts { pread(file.descriptor, &first, first.count, 0) }
        head = first
        size = try file.status().size
        let wal = try FileStatus.of(path + "-wal")
        log = wal.map { $0.size == 0 ? [] : [$0.size, $0.modifiedSeconds, $0.modifiedNanoseconds] } ?? []
    }
}
