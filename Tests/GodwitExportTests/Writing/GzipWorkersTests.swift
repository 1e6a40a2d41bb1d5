import GodwitFiles
import GodwitModel
import Libc
import Foundation
import GodwitExport
import GodwitTestSupport
import Synchronization
import Testing

/// The threads that pack: their number, their work, and their end after an error.
struct GzipWorkersTests {
    private static let block = PackedFile.block

    /// A counter for several threads.
    private final class Counter: Sendable {
        private let value = Mutex(0)
        var count: Int { value.withLock { $0 } }

        /// Adds one, and returns the new count.
        @discardableResult
        func add() -> Int {
            value.withLock { value in
                value += 1
                return value
            }
        }
    }

    /// Packs, and returns the number of requested threads; after the limit none starts.
    private static func threads(cores: Int, size: Int, limit: Int = .max) throws -> (asked: Int, packed: [UInt8]) {
        let asked = Counter()
        let file = PackedFile(cores: cores, startThread: { asked.add() <= limit ? WorkerThread($0) : nil })
        let packed = try file.pack(PackedFile.records(size))
        return (asked.count, packed)
    }

    @Test("with one core, and for one block, no thread is started")
    func none() throws {
        #expect(try Self.threads(cores: 1, size: 20 * Self.block).asked == 0)
        for size in [0, 1, Self.block] { #expect(try Self.threads(cores: 8, size: size).asked == 0) }
    }

    @Test("a thread is started for each full block with more after it, up to one less than the cores")
    func some() throws {
        #expect(try Self.threads(cores: 8, size: Self.block + 1).asked == 1)
        #expect(try Self.threads(cores: 8, size: 4 * Self.block).asked == 3)
        #expect(try Self.threads(cores: 8, size: 60 * Self.block).asked == 7)
        #expect(try Self.threads(cores: 2, size: 60 * Self.block).asked == 1)
        #expect(try Self.threads(cores: 1000, size: 60 * Self.block).asked == 15)
    }

    @Test("if the system has no more threads, the others compress, and it is asked once", arguments: [0, 1, 2])
    func refused(limit: Int) throws {
        let (asked, packed) = try Self.threads(cores: 8, size: 40 * Self.block, limit: limit)
        #expect(asked == limit + 1)
        #expect(try packed == PackedFile().pack(PackedFile.records(40 * Self.block)))
    }

    @Test("threads run their work and are waited for")
    func thread() throws {
        let done = Counter()
        let threads = try (0..<20).map { _ in try #require(WorkerThread { done.add() }) }
        for thread in threads { thread.join() }
        #expect(done.count == 20)
    }

    @Test("the number of processors is at least one, and not above the system's")
    func processors() {
        #expect((1...ProcessInfo.processInfo.processorCount).contains(Processors.count))
    }

    @Test("24 MiB take no more memory than 16 blocks and one for each core", arguments: [1, 2, 8])
    func large(cores: Int) throws {
        let folder = try TemporaryFolder()
        let file = try folder.makeFile("packed")
        var writer = try GzipWriter(level: 1, cores: cores)
        let piece = PackedFile.records(1 << 20)
        var blocks: [Int] = []
        for _ in 0..<24 {
            try piece.withUnsafeBytes { try writer.write($0, to: file) }
            blocks.append(writer.blockCount)
        }
        try writer.finish(filling: [], in: file)
        #expect(blocks[15...].allSatisfy { $0 == blocks[15] } && blocks[15] <= 16 + cores)
        // What was packed so far is in the file, not in memory.
        #expect(try file.size() > 1 << 20)
        try file.commit(replacing: false)
        let input = try ExportInput(path: folder["packed"], stage: .export)
        var inflater = try Inflater(beginning: [], name: "packed", stage: .export)
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        var (total, differing) = (0, 0)
        while case let count = try buffer.withUnsafeMutableBytes({ try inflater.read(from: input, into: $0) }),
            count > 0
        {
            let start = total % piece.count
            let end = min(start + count, piece.count)
            if buffer[..<(end - start)] != piece[start..<end] { differing += 1 }
            if buffer[(end - start)..<count] != piece[..<(count - end + start)] { differing += 1 }
            total += count
        }
        #expect(total == 24 << 20 && differing == 0)
    }

    @Test("a writer that is dropped at any time waits for its threads, and leaves no file")
    func dropped() throws {
        let folder = try TemporaryFolder()
        let content = PackedFile.records(1 << 20)
        for count in [0, 1, Self.block + 1, 3 * Self.block, 6 * Self.block, 1 << 20] {
            do {
                let file = try folder.makeFile("packed")
                var writer = try GzipWriter(level: 9, cores: 4)
                try content[..<count].withUnsafeBytes { try writer.write($0, to: file) }
            }
            #expect(folder.names().isEmpty)
        }
    }

    #if os(Linux)
        @Test("a full disk ends with the error, wherever it occurs", arguments: [1, 2, 8])
        func fullDisk(cores: Int) throws {
            let full = open("/dev/full", O_WRONLY)
            defer { close(full) }
            let folder = try TemporaryFolder()
            let content = PackedFile.records(1 << 20)
            // At the header, at the first blocks, in the middle, at the hole, at the end.
            for (before, step) in [
                (0, "write"), (1, "write"), (40, "write"), (3, "hole"), (3, "finish"), (0, "finish"),
            ] {
                let file = try folder.makeFile("packed")
                var writer = try GzipWriter(level: 1, cores: cores)
                for _ in 0..<before { try content.withUnsafeBytes { try writer.write($0, to: file) } }
                #expect(dup2(full, file.writtenBytes.descriptor) == file.writtenBytes.descriptor)
                let error = failure {
                    switch step {
                    case "write":
                        for _ in 0..<4 { try content.withUnsafeBytes { try writer.write($0, to: file) } }
                    case "hole": try writer.writeHole(8, to: file)
                    default: try writer.finish(filling: [], in: file)
                    }
                }
                #expect(error?.code == .io && error?.stage == .export, "\(before) \(step)")
                #expect(error?.underlying == "No space left on device")
            }
            #expect(folder.names() == [])
        }
    #endif
}

extension TemporaryFolder {
    func makeFile(_ name: String) throws -> AtomicFile {
        try AtomicFile(target: path(name), identifier: UUID().uuidString, stage: .export)
    }
}
