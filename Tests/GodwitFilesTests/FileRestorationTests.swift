import GodwitFiles
import GodwitModel
import Foundation
import GodwitTestSupport
import Testing

/// Files that a rollback restores from a backup.
struct FileRestorationTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test(
        "a restored file has its permissions without setuid bits, and the time of the copied file",
        arguments: [(0o640, 0o640), (0o4755, 0o755), (0o2600, 0o600)] as [(UInt32, UInt32)])
    func mode(recorded: UInt32, expected: UInt32) throws {
        try folder.write("data", to: "kept")
        let date = Date(timeIntervalSince1970: 1_700_000_000)
        try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: folder["kept"])
        let made = folder[".godwit-tmp-01234567"]
        try FileRestoration.copy(folder["kept"], to: made, mode: recorded, owner: nil, ownedLike: nil, stage: .rollback)
        let status = try #require(try FileStatus.of(made))
        #expect(status.mode & 0o7777 == expected)
        #expect(status.modifiedSeconds == 1_700_000_000)
        #expect(try folder.bytes(of: ".godwit-tmp-01234567") == Array("data".utf8))
    }
}
