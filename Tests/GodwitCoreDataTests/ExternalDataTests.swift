import GodwitCoreData
import Libc
import GodwitModel
import GodwitTestSupport
import Testing

struct ExternalDataTests {
    private static let name = "0A1B2C3D-0000-4000-8000-00000000000F"
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.makeFolder(".a_SUPPORT/_EXTERNAL_DATA")
        try folder.write([1, 2, 3], to: ".a_SUPPORT/_EXTERNAL_DATA/\(Self.name)")
        try folder.write([7], to: "secret")
    }

    private func content(_ bytes: [UInt8], store: String = "a.sqlite") throws -> ExternalData.Content {
        try ExternalData(besideStore: folder[store]).content(of: bytes)
    }

    private static func reference(_ name: String) -> [UInt8] { [2] + Array(name.utf8) + [0] }

    @Test("the first byte shows whether data is in the store or in a file")
    func prefixes() throws {
        #expect(try content([1, 9, 8]) == .inline([9, 8]))
        #expect(try content([1]) == .inline([]))
        #expect(try content(Self.reference(Self.name)) == .file([1, 2, 3]))
        #expect(try content([2] + Array(Self.name.utf8)) == .file([1, 2, 3]))
        #expect(try content([3, 1]) == .plain)
        #expect(try content([]) == .plain)
    }

    @Test("the folder of external data has the store's name, with or without its extension")
    func folders() throws {
        #expect(ExternalData.supportFolders(of: "/a/b.store") == ["/a/.b_SUPPORT", "/a/.b.store_SUPPORT"])
        #expect(ExternalData.supportFolders(of: "/a/b") == ["/a/.b_SUPPORT"])
        #expect(try content(Self.reference(Self.name), store: "a") == .file([1, 2, 3]))
        #expect(try content(Self.reference(Self.name), store: "b.sqlite") == .dangling)
    }

    @Test(
        "an invalid file name gives no data",
        arguments: [
            "../../secret", "..", ".", "", "a/b", "/etc/hostname", "a b", "\u{1F600}", ".hidden", "a\nb",
            String(repeating: "a", count: 300),
        ])
    func hostileNames(_ name: String) throws {
        #expect(try content(Self.reference(name)) == .dangling)
    }

    @Test("links and folders instead of a file or folder give no data")
    func links() throws {
        try folder.makeLink(".a_SUPPORT/_EXTERNAL_DATA/link", to: folder["secret"])
        try folder.makeFolder(".a_SUPPORT/_EXTERNAL_DATA/folder")
        try folder.makeFIFO(".a_SUPPORT/_EXTERNAL_DATA/pipe")
        for name in ["link", "folder", "pipe", "absent"] {
            #expect(try content(Self.reference(name)) == .dangling, "\(name)")
        }
        try folder.makeLink(".linked_SUPPORT", to: folder[".a_SUPPORT"])
        #expect(try content(Self.reference(Self.name), store: "linked.sqlite") == .dangling)
        try folder.makeFolder(".half_SUPPORT")
        try folder.makeLink(".half_SUPPORT/_EXTERNAL_DATA", to: folder[".a_SUPPORT/_EXTERNAL_DATA"])
        #expect(try content(Self.reference(Self.name), store: "half.sqlite") == .dangling)
    }

    @Test("a file that is too large, a pipe and a folder give no data, without waiting")
    func oddFiles() throws {
        let dataFolder = ".a_SUPPORT/_EXTERNAL_DATA/"
        try folder.write([], to: dataFolder + "large")
        // Uses no disk space: nothing was written to it.
        #expect(truncate(folder[dataFolder + "large"], (256 << 20) + 1) == 0)
        try folder.makeFIFO(dataFolder + "pipe")
        try folder.makeFolder(dataFolder + "folder")
        try folder.write([], to: dataFolder + "empty")
        for name in ["large", "pipe", "folder", "missing"] {
            #expect(try content(Self.reference(name)) == .dangling, "\(name)")
        }
        #expect(try content(Self.reference("empty")) == .file([]))
        let inventory = try #require(try ExternalData.inventory(besideStore: folder["a.sqlite"]))
        #expect(inventory.lines.map { $0.split(separator: " ")[0] } == [Self.name[...], "empty", "large"])
        #expect(inventory.size == (256 << 20) + 1 + 3)
        #expect(try ExternalData.inventory(besideStore: folder["b.sqlite"]) == nil)
    }

    @Test("only a UUID after the byte 2 counts as a reference")
    func references() {
        #expect(ExternalData.isReference(Self.reference(Self.name)))
        #expect(ExternalData.isReference([2] + Array(Self.name.utf8)))
        #expect(!ExternalData.isReference([1] + Array(Self.name.utf8)))
        #expect(!ExternalData.isReference(Self.reference("../../secret")))
        #expect(!ExternalData.isReference([2] + Array(repeating: 0x30, count: 36)))
        #expect(!ExternalData.isReference([UInt8]()))
    }

    @Test("a copy includes only regular files")
    func copies() throws {
        try folder.makeLink(".a_SUPPORT/_EXTERNAL_DATA/link", to: folder["secret"])
        try folder.makeFolder("copy")
        try ExternalData.copy(besideStore: folder["a.sqlite"], toStore: folder["copy/a.sqlite"])
        #expect(folder.names(in: "copy/.a_SUPPORT/_EXTERNAL_DATA") == [Self.name])
        try ExternalData.copy(besideStore: folder["nothing.sqlite"], toStore: folder["copy/nothing.sqlite"])
        #expect(!folder.exists("copy/.nothing_SUPPORT"))
    }
}
