import GodwitFiles
import GodwitSQLite
import GodwitTestSupport
import Synchronization
import Testing

/// The system is asked to write a growing file early, each byte once.
struct EarlyFlushTests {
    private let folder: TemporaryFolder
    private let asked = Asked()

    /// The ranges that the system was asked to write, and a wait for them.
    private final class Asked: Sendable {
        let ranges = Mutex<[Range<Int64>]>([])

        func add(_ start: Int64, _ count: Int64) { ranges.withLock { $0.append(start..<start + count) } }

        /// Waits until everything up to an offset was requested.
        func wait(for end: Int64) {
            while ranges.withLock({ $0.last?.upperBound ?? 0 }) < end { pause(milliseconds: 1) }
        }
    }

    init() throws { folder = try TemporaryFolder() }

    private func grow(to size: Int) throws {
        try folder.write(Array(repeating: 7, count: size), to: "a.store")
    }

    private func makeFlush(_ name: String = "a.store") -> EarlyFlush {
        EarlyFlush(of: folder[name], step: 100) { [asked] file, start, count in
            #expect(file >= 0)
            asked.add(start, count)
        }
    }

    @Test("written data is flushed as soon as there is enough, each byte once and in order")
    func growing() throws {
        try grow(to: 0)
        let flush = makeFlush()
        for (size, end) in [(50, 0), (99, 0), (100, 100), (199, 100), (250, 250), (1000, 1000), (1001, 1000)] {
            try grow(to: size)
            flush.noteGrowth()
            asked.wait(for: Int64(end))
        }
        flush.end()
        #expect(asked.ranges.withLock(\.self) == [0..<100, 100..<250, 250..<1000])
    }

    @Test(
        "no flush is requested for a removed, missing or no longer growing file",
        arguments: [true, false])
    func missing(wasThere: Bool) throws {
        if wasThere { try grow(to: 10) }
        let flush = makeFlush(wasThere ? "a.store" : "b.store")
        if wasThere { try folder.remove("a.store") }
        for _ in 0..<3 { flush.noteGrowth() }
        flush.end()
        #expect(asked.ranges.withLock(\.self) == [])
    }

    @Test("after its end no flush is requested, and a second end is harmless")
    func ended() throws {
        try grow(to: 0)
        let flush = makeFlush()
        flush.end()
        try grow(to: 5000)
        flush.noteGrowth()
        flush.end()
        #expect(asked.ranges.withLock(\.self) == [])
    }

    @Test("the system accepts the request for a file that is only read, and the file keeps its bytes")
    func real() throws {
        let bytes = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
        try folder.write(bytes, to: "a.store")
        let flush = EarlyFlush(of: folder["a.store"], step: 1 << 20)
        flush.noteGrowth()
        flush.end()
        #expect(try folder.bytes(of: "a.store") == bytes)
    }
}
