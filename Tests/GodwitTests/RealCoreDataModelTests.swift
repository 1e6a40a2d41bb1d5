import Godwit
import GodwitCoreData
import GodwitModel
import GodwitSQLite
import Foundation
import GodwitPipelineSupport
import GodwitTestSupport
import Testing

/// Stores that another app wrote; they are not part of this repository.
private enum Bookmarks {
    static let folder = URL(filePath: Repository.path("../shared/real/ddg-bookmarks")).standardizedFileURL.path
    static var areHere: Bool { FileManager.default.fileExists(atPath: folder) }
}

/// The model that Core Data itself kept in stores of another app, read through the reader of property lists.
@Suite(
    .enabled(
        if: Bookmarks.areHere, "../shared/real does not exist"))
struct RealCoreDataModelTests {
    @Test("names, types and targets are the app's own in every version", arguments: 1...3)
    func bookmarks(_ version: Int) throws {
        let before = try FolderFingerprint(Bookmarks.folder)
        let snapshot = try StoreSnapshot(
            of: Bookmarks.folder + "/Bookmarks_V\(version).sqlite", name: "Bookmarks", stage: .schema,
            context: .sample())
        let model = try #require(try snapshot.connection.readCoreDataModel(archives: .standard))
        #expect(model.isModelKnown)
        #expect(model.strayRecords == 0)
        #expect(model.joins == [])
        let entity = try #require(model.entity(named: "BookmarkEntity"))
        #expect(entity.count == 10)
        let kinds = Dictionary(entity.attributes.map { ($0.name, $0.kind) }, uniquingKeysWith: { first, _ in first })
        #expect(kinds["isFolder"] == .boolean)
        #expect(kinds["title"] == .string)
        #expect(kinds["modifiedAt"] == (version == 3 ? .date : nil))
        #expect(entity.relations.map(\.name) == ["favoriteFolder", "parent"])
        #expect(entity.relations.map(\.target) == ["BookmarkEntity", "BookmarkEntity"])
        #expect(entity.relations.map(\.orderColumn) == ["Z_FOK_FAVORITEFOLDER", "Z_FOK_PARENT"])
        #expect(entity.relations.map(\.evidence) == [.model, .model])
        #expect(model.metadata?.versionHashes.keys.sorted() == ["BookmarkEntity"])
        #expect(model.metadata?.frameworkVersion != nil)
        #expect(try FolderFingerprint(Bookmarks.folder) == before)
    }
}
