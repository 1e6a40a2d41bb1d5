import GodwitModel
import GodwitSQLite
import Foundation
import GodwitTestSupport
import Testing

/// Stores as apps write them are sound.
///
/// GODWIT_INTEGRITY_STORES names a folder with more stores.
struct SampleIntegrityTests {
    private static let root = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    private static func stores(in folder: String) -> [String] {
        let names = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
        return names.filter { $0.hasSuffix(".store") || $0.hasSuffix(".sqlite") }.sorted().map { folder + "/" + $0 }
    }

    @Test("every store of the samples is sound")
    func samples() throws {
        let samples = Self.stores(in: Self.root.appending(path: "SampleData").path)
        let others = ProcessInfo.processInfo.environment["GODWIT_INTEGRITY_STORES"].map(Self.stores) ?? []
        #expect(samples.count > 10)
        for path in samples + others {
            let folder = try TemporaryFolder()
            for suffix in ["", "-wal", "-journal"] where FileManager.default.fileExists(atPath: path + suffix) {
                try folder.write(Array(Data(contentsOf: URL(filePath: path + suffix))), to: "a.store" + suffix)
            }
            let snapshot = try StoreSnapshot(of: folder["a.store"], name: path, stage: .verify, context: .sample())
            try snapshot.readers.checkIntegrity(.whole)
        }
    }
}
