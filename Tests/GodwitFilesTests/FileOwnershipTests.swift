import GodwitFiles
import Testing

struct FileOwnershipTests {
    @Test(
        "a file that cannot keep its group gives the new group only the permissions of others",
        arguments: [
            (0o640, 0o600), (0o660, 0o600), (0o664, 0o644), (0o644, 0o644), (0o755, 0o755), (0o771, 0o711),
            (0o4750, 0o4700),
        ] as [(UInt32, UInt32)])
    func groupRightsShrink(mode: UInt32, expected: UInt32) {
        #expect(FileOwnership.modeWithoutGroup(mode) == expected)
    }
}
