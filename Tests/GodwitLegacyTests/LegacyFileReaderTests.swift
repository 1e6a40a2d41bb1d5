import GodwitFiles
import GodwitModel
import GodwitPropertyList
import Foundation
import Synchronization
import Testing

/// Files on disk: what is opened, what is rejected, and with which exit code.
struct LegacyFileReaderTests {
    private let folder: String
    private let reader = LegacyFileReader()
    private static let good = Array("{\"weightUnit\": \"lb\"}".utf8)

    init() throws {
        let base = FileManager.default.temporaryDirectory.appendingPathComponent("godwit-legacy-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: base, withIntermediateDirectories: true)
        folder = base.path
    }

    private func write(_ bytes: [UInt8], _ name: String = "a.plist") throws -> String {
        let path = "\(folder)/\(name)"
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        return path
    }

    private func clean() { try? FileManager.default.removeItem(atPath: folder) }

    private func refusal(_ path: String) -> GodwitError? {
        #expect(throws: GodwitError.self) { try reader.read(path) }
    }

    @Test("a good file is read with everything that the receipt needs")
    func goodFile() throws {
        defer { clean() }
        let path = try write(Self.good)
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 1_772_000_000)], ofItemAtPath: path)
        let file = try reader.read(path)
        #expect(file.path == path)
        #expect(file.format == .json)
        #expect(file.size == Int64(Self.good.count))
        #expect(file.modified == Instant(seconds: 1_772_000_000))
        #expect(file.sha256 == sha256Hex(Self.good))
        #expect(file.bytes == Self.good)
        #expect(file.value(for: "weightUnit") == .string("lb"))
        #expect(file.value(for: "theme") == nil)
    }

    @Test("reading changes neither bytes nor modification time")
    func untouched() throws {
        defer { clean() }
        let path = try write(Self.good)
        let before = try FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date
        _ = try reader.read(path)
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date == before)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["a.plist"])
    }

    @Test(
        "a file with an unusual name is read",
        arguments: [
            "with space.plist", "quotes\"'\\.plist", "-rf", "new\nline\u{1B}[31m.plist", "日本.plist",
            String(repeating: "n", count: 240),
        ])
    func names(name: String) throws {
        defer { clean() }
        #expect(try reader.read(try write(Self.good, name)).root.count == 1)
    }

    @Test("control characters of a path are escaped in messages")
    func escapedPath() throws {
        defer { clean() }
        let error = refusal(try write([], "new\nline\u{1B}[31m.plist"))
        #expect(error?.message.contains("new\\u{a}line\\u{1b}[31m.plist") == true)
    }

    @Test("an empty file is damaged data")
    func emptyFile() throws {
        defer { clean() }
        let error = refusal(try write([]))
        #expect(error?.code == .data)
        #expect(error?.message.contains("a.plist: not a readable property list (empty file)") == true)
    }

    @Test("damage is reported with the path")
    func damaged() throws {
        defer { clean() }
        let error = refusal(try write(Array("{\"a\": }".utf8)))
        #expect(error?.code == .data)
        #expect(error?.message == "\(folder)/a.plist: not readable JSON (a value expected; line 1, column 7)")
    }

    @Test("a missing file is missing input")
    func missing() {
        defer { clean() }
        #expect(refusal("\(folder)/none.plist")?.code == .noInput)
        #expect(refusal("\(folder)/none/below.plist")?.underlying == "No such file or directory")
        #expect(refusal("")?.code == .noInput)
        #expect(refusal("\(folder)/a\0b")?.code == .noInput)
    }

    @Test("a file instead of a folder in the path is missing input")
    func notAFolder() throws {
        defer { clean() }
        #expect(refusal(try write(Self.good) + "/below")?.code == .noInput)
    }

    @Test("symbolic links are followed, and a dangling one is reported with its target")
    func links() throws {
        defer { clean() }
        let path = try write(Self.good)
        try FileManager.default.createSymbolicLink(atPath: "\(folder)/link", withDestinationPath: path)
        #expect(try reader.read("\(folder)/link").root.count == 1)
        try FileManager.default.createSymbolicLink(atPath: "\(folder)/dangling", withDestinationPath: "/nowhere")
        let error = refusal("\(folder)/dangling")
        #expect(error?.code == .noInput)
        #expect(error?.hint == "Correct the symbolic link: its target `/nowhere` does not exist.")
    }

    @Test("a link to itself is missing input")
    func linkLoop() throws {
        defer { clean() }
        try FileManager.default.createSymbolicLink(atPath: "\(folder)/loop", withDestinationPath: "loop")
        let error = refusal("\(folder)/loop")
        #expect(error?.code == .noInput)
        #expect(error?.hint == "Remove the loop of symbolic links.")
    }

    @Test("a folder is rejected as missing input")
    func folderItself() {
        defer { clean() }
        let error = refusal(folder)
        #expect(error?.code == .noInput)
        #expect(error?.message.contains("is a folder") == true)
    }

    @Test("a FIFO without a writer does not block")
    func fifo() {
        defer { clean() }
        #expect(mkfifo("\(folder)/fifo", 0o600) == 0)
        let error = refusal("\(folder)/fifo")
        #expect(error?.code == .noInput)
        #expect(error?.message.contains("not a regular file") == true)
    }

    @Test("devices are rejected", arguments: ["/dev/null", "/dev/zero"])
    func devices(path: String) {
        defer { clean() }
        #expect(refusal(path)?.code == .noInput)
    }

    #if os(Linux)
        @Test("files of the proc file system are rejected", arguments: ["/proc/self/mem", "/proc/self/status"])
        func kernelFiles(path: String) {
            defer { clean() }
            #expect(refusal(path)?.code == .noInput)
        }
    #endif

    @Test("a huge file is rejected by its size, without being read")
    func hugeFile() throws {
        defer { clean() }
        let path = try write([])
        #expect(truncate(path, 8 << 30) == 0)
        let error = refusal(path)
        #expect(error?.code == .data)
        #expect(error?.message.hasSuffix("bytes are over the limit of 67,108,864") == true)
    }

    @Test(
        "a file without read permission gives a permission error",
        .enabled(if: geteuid() != 0, "needs to run as another user than root"))
    func permission() throws {
        defer { clean() }
        let path = try write(Self.good)
        #expect(chmod(path, 0) == 0)
        #expect(refusal(path)?.code == .permission)
    }

    @Test("a file that is replaced during the read is read in one of its two versions")
    func replaced() throws {
        defer { clean() }
        let path = try write(Self.good)
        let other = Array("{\"weightUnit\": \"kg\", \"more\": 1}".utf8)
        let isReplaced = Mutex(false)
        let reader = LegacyFileReader(betweenReadAndCheck: { path in
            let wasReplaced = isReplaced.withLock { flag in
                defer { flag = true }
                return flag
            }
            if wasReplaced { return }
            try? Data(other).write(to: URL(fileURLWithPath: path), options: .atomic)
        })
        let file = try reader.read(path)
        #expect(file.bytes == Self.good || file.bytes == other)
        #expect(file.size == Int64(file.bytes.count))
    }

    @Test("a file that changes at every read gives busy")
    func changing() throws {
        defer { clean() }
        let path = try write(Self.good)
        let turns = Mutex(0)
        let reader = LegacyFileReader(
            attempts: 3,
            betweenReadAndCheck: { path in
                turns.withLock { $0 += 1 }
                let handle = FileHandle(forWritingAtPath: path)
                _ = try? handle?.seekToEnd()
                try? handle?.write(contentsOf: Data(" ".utf8))
                try? handle?.close()
            })
        let error = #expect(throws: GodwitError.self) { try reader.read(path) }
        #expect(error?.code == .busy)
        #expect(error?.message.contains("changed while it was read, 3 times") == true)
        #expect(turns.withLock(\.self) == 3)
    }

    @Test("a file that grew once is read in its new state")
    func grewOnce() throws {
        defer { clean() }
        let path = try write(Self.good)
        let turns = Mutex(0)
        let reader = LegacyFileReader(betweenReadAndCheck: { path in
            let turn = turns.withLock {
                $0 += 1
                return $0
            }
            guard turn == 1, let handle = FileHandle(forWritingAtPath: path) else { return }
            _ = try? handle.seekToEnd()
            try? handle.write(contentsOf: Data("\n".utf8))
            try? handle.close()
        })
        let file = try reader.read(path)
        #expect(file.bytes == Self.good + [0x0A])
        #expect(turns.withLock(\.self) == 2)
    }

    @Test("the binary and XML files of an app give the same values", arguments: [LegacyFormat.binary, .xml])
    func formats(format: LegacyFormat) throws {
        defer { clean() }
        let value = FoundationOracle.samples[9]
        let file = try reader.read(try write(try FoundationOracle.write(value, as: format)))
        #expect(file.format == format)
        #expect(LegacyValue.dictionary(file.root).sorted == value.sorted)
    }
}
