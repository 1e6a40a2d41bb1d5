import Libc
import Foundation
import GodwitTestSupport
import Testing

/// `godwit export --replace`: what is replaced, and what is kept.
struct ReplacedExportTests {
    private func mode(_ scene: Scene, _ name: String) throws -> Int? {
        let attributes = try FileManager.default.attributesOfItem(atPath: scene.folder["home/\(name)"])
        return (attributes[.posixPermissions] as? NSNumber)?.intValue
    }

    @Test("the permissions of a replaced export are kept", arguments: [0o600, 0o640, 0o644, 0o664, 0o400, 0o444])
    func rights(_ mode: Int) throws {
        let scene = try Scene(.twoDevices)
        let path = scene.folder["home/e.json"]
        try #require(try scene.start(["export", "-q", "-o", path]).finish().code == 0)
        #expect(try self.mode(scene, "e.json") == 0o644)
        try scene.folder.setMode(UInt32(mode), of: "home/e.json")
        for options in [[], ["--gzip"], ["--lines"]] {
            let finished = try scene.start(["export", "-q", "--replace", "-o", path] + options).finish()
            #expect(finished.code == 0, "\(finished.errorText)")
            #expect(try self.mode(scene, "e.json") == mode)
        }
        #expect(scene.leftovers == [])
    }

    @Test("a new export with --replace has the permissions of a new file")
    func newFile() throws {
        let scene = try Scene(.twoDevices)
        let path = scene.folder["home/e.json"]
        try #require(try scene.start(["export", "-q", "--replace", "-o", path]).finish().code == 0)
        #expect(try mode(scene, "e.json") == 0o644)
    }

    @Test(
        "owner and group are kept if the system allows it", .enabled(if: geteuid() == 0, "needs to run as root"))
    func owner() throws {
        let scene = try Scene(.twoDevices)
        let path = scene.folder["home/e.json"]
        try #require(try scene.start(["export", "-q", "-o", path]).finish().code == 0)
        try #require(chown(path, 4711, 4712) == 0)
        try scene.folder.setMode(0o640, of: "home/e.json")
        try #require(try scene.start(["export", "-q", "--replace", "-o", path]).finish().code == 0)
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect((attributes[.ownerAccountID] as? NSNumber)?.intValue == 4711)
        #expect((attributes[.groupOwnerAccountID] as? NSNumber)?.intValue == 4712)
        #expect(try mode(scene, "e.json") == 0o640)
    }

    @Test("a link, a folder and a pipe are named as such, and stay", arguments: [[], ["--replace"]])
    func otherThings(_ options: [String]) throws {
        let scene = try Scene(.twoDevices)
        let path = scene.folder["home/real.json"]
        try #require(try scene.start(["export", "-q", "-o", path]).finish().code == 0)
        try scene.folder.makeLink("home/link.json", to: "real.json")
        try scene.folder.makeLink("home/lost.json", to: "nowhere")
        try scene.folder.makeFolder("home/folder")
        for (name, kind) in [
            ("link.json", "a symbolic link"), ("lost.json", "a symbolic link"), ("folder", "a folder"),
        ] {
            let target = scene.folder["home/\(name)"]
            try scene.expectRefusal(
                73, of: ["export", "-o", target] + options, naming: ["`\(target)` is \(kind); it is not replaced"])
        }
        try scene.folder.makeFIFO("home/pipe")
        let finished = try scene.start(["export", "-o", scene.folder["home/pipe"]] + options).finish()
        #expect(finished.code == 73 && finished.errorText.contains("pipe` is not a regular file; it is not replaced"))
    }

    @Test("--since needs the name of a file", arguments: ["-", ""])
    func sinceStandardInput(_ name: String) throws {
        let scene = try Scene(.twoDevices)
        let finished = try scene.start(["export", "--since", name, "-o", scene.folder["home/e.json"]]).finish()
        #expect(finished.code == 64)
        #expect(finished.errorText.contains("--since requires the name of a file"), "\(finished.errorText)")
        #expect(!scene.folder.exists("home/e.json"))
    }
}
