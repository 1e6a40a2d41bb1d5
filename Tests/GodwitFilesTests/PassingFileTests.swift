import GodwitFiles
import GodwitModel
import Libc
import Foundation
import GodwitTestSupport
import Testing

/// An app's journal, which can appear and disappear at any moment.
struct PassingFileTests {
    @Test("A file that appears and disappears exists or does not exist, without an error")
    func comesAndGoes() async throws {
        try await Self.whilePassing { path, _ in
            _ = try OpenFile.reading(ifThere: path)
        }
    }

    @Test("A copy of a file that comes and goes is made or it is not, and never an error")
    func copied() async throws {
        try await Self.whilePassing { path, turn in
            let copy = path + "-copy-\(turn)"
            let isMade = try FileClone.copy(ifThere: path, to: copy)
            #expect(FileManager.default.fileExists(atPath: copy) == isMade)
        }
    }

    @Test("A link to a file that does not exist is an error")
    func link() throws {
        let folder = try TemporaryFolder()
        let path = folder["store-journal"]
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: folder["nothing"])
        #expect(throws: GodwitError.self) { _ = try OpenFile.reading(ifThere: path) }
    }

    /// Reads a path repeatedly while another thread creates and removes a file there.
    private static func whilePassing(_ look: (String, Int) throws -> Void) async throws {
        let folder = try TemporaryFolder()
        let path = folder["store-journal"]
        let passing = Task.detached {
            while !Task.isCancelled {
                _ = FileManager.default.createFile(atPath: path, contents: nil)
                unlink(path)
            }
        }
        defer { passing.cancel() }
        for turn in 0..<2_000 { try look(path, turn) }
        passing.cancel()
        await passing.value
    }
}
