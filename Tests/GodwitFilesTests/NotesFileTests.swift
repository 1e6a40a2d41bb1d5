import GodwitFiles
import GodwitModel
import Foundation
import GodwitTestSupport
import Testing

struct NotesFileTests {
    private func make() throws -> NotesFile {
        try NotesFile("numbers", .sample(), stage: .copy) { folder in "Give \(folder) more room." }
    }

    private func read(_ notes: NotesFile, _ count: Int, at offset: Int64) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        try bytes.withUnsafeMutableBytes { try notes.read($0, at: offset) }
        return bytes
    }

    @Test("written notes are read from any offset, and can be appended")
    func reading() throws {
        let notes = try make()
        let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        try bytes[..<50_000].withUnsafeBytes { try notes.write($0) }
        #expect(try read(notes, 10, at: 49_990) == Array(bytes[49_990..<50_000]))
        try bytes[50_000...].withUnsafeBytes { try notes.write($0) }
        #expect(try read(notes, 100_000, at: 0) == bytes)
        #expect(try read(notes, 0, at: 100_000) == [])
    }

    @Test("a notes file that cannot be made is an error with the folder that needs space")
    func missing() throws {
        let notes = try make()
        try [UInt8](1...3).withUnsafeBytes { try notes.write($0) }
        let error = failure { try read(notes, 4, at: 0) }
        #expect(error?.code == .io)
        #expect(error?.stage == .copy)
        let parent = ProcessInfo.processInfo.environment["TMPDIR"] ?? "/tmp"
        let folder = URL(filePath: parent, directoryHint: .notDirectory).path
        #expect(error?.hint == "Give \(folder) more room.")
    }

    @Test("a notes file is removed with its owner")
    func ending() throws {
        let identifier = "notes-" + UUID().uuidString
        let parent = ProcessInfo.processInfo.environment["TMPDIR"] ?? "/tmp"
        func folders() throws -> Int {
            try FileManager.default.contentsOfDirectory(atPath: parent).count { $0.contains(identifier) }
        }
        let context = RunContext.sample(makeIdentifier: { identifier })
        var notes: NotesFile? = try NotesFile("numbers", context, stage: .copy) { _ in "" }
        let during = try folders()
        #expect(notes != nil && during == 1)
        notes = nil
        #expect(try folders() == 0)
    }
}
