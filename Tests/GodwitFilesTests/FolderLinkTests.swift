import GodwitFiles
import GodwitModel
import Foundation
import GodwitTestSupport
import Testing

/// Links that are created in one step, and exports that may be removed.
struct FolderLinkTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func link(_ name: String = "latest", to destination: String) throws {
        try AtomicFile.link(folder[name], to: destination, identifier: "ABCDEFGH", stage: .export)
    }

    // MARK: Links

    @Test("a link is created and changed, with nothing left next to it")
    func made() throws {
        try link(to: "one.json")
        #expect(PathText.destination(of: folder["latest"]) == "one.json")
        try link(to: "two.json")
        #expect(PathText.destination(of: folder["latest"]) == "two.json")
        #expect(folder.names() == ["latest"])
    }

    @Test("a link with the right target is not changed")
    func unchanged() throws {
        try link(to: "one.json")
        let before = try folder.fingerprint()
        try link(to: "one.json")
        #expect(try folder.fingerprint().differences(from: before) == [])
    }

    @Test("a file that is not a link is not replaced", arguments: [true, false])
    func taken(_ isFolder: Bool) throws {
        if isFolder { try folder.makeFolder("latest") } else { try folder.write("mine", to: "latest") }
        let before = try folder.fingerprint()
        let error = failure { try link(to: "one.json") }
        #expect(error?.code == .cannotCreate)
        #expect(error?.message.contains("latest") == true)
        #expect(try folder.fingerprint().differences(from: before) == [])
    }

    @Test("an error names the link, not the temporary name")
    func nowhere() {
        let error = failure { try link("none/latest", to: "one.json") }
        #expect(error != nil && error?.message.contains(".godwit-") == false)
    }

    @Test("only a link has a destination")
    func destinations() throws {
        try folder.write("x", to: "file")
        #expect(PathText.destination(of: folder["file"]) == nil)
        #expect(PathText.destination(of: folder["nothing"]) == nil)
        try folder.makeLink("long", to: String(repeating: "d/", count: 500))
        #expect(PathText.destination(of: folder["long"])?.utf8.count == 1000)
    }

    // MARK: Exports that go

    private func status(_ name: String) throws -> FileStatus {
        try #require(try FileStatus.ofLink(folder[name]))
    }

    @Test("the file that was read is removed, and a missing file is not an error")
    func removed() throws {
        try folder.write("{}", to: "e.json")
        let read = try status("e.json")
        #expect(try OwnFiles.removeExport(folder["e.json"], read))
        #expect(!folder.exists("e.json"))
        #expect(try OwnFiles.removeExport(folder["e.json"], read))
    }

    @Test("another file with that name stays, and so does one that was written since")
    func changed() throws {
        try folder.write("{}", to: "e.json")
        let read = try status("e.json")
        try folder.write("{ }", to: "e.json")
        #expect(try !OwnFiles.removeExport(folder["e.json"], read))
        try folder.remove("e.json")
        try folder.write("{}", to: "e.json")
        try folder.setModified(seconds: read.modifiedSeconds + 1, of: "e.json")
        #expect(try !OwnFiles.removeExport(folder["e.json"], read))
        try folder.remove("e.json")
        try folder.write("{}", to: "other.json")
        try folder.makeLink("e.json", to: "other.json")
        #expect(try !OwnFiles.removeExport(folder["e.json"], status("other.json")))
        #expect(folder.exists("other.json") && folder.exists("e.json"))
    }

    @Test("a further name of the same file is removed too")
    func hardLink() throws {
        try folder.write("{}", to: "a.json")
        try folder.makeHardLink("b.json", to: "a.json")
        let (first, second) = (try status("a.json"), try status("b.json"))
        #expect(try OwnFiles.removeExport(folder["a.json"], first))
        #expect(try OwnFiles.removeExport(folder["b.json"], second))
        #expect(folder.names().isEmpty)
    }
}
