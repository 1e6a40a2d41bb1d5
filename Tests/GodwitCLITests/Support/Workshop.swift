import Foundation
import GodwitTestSupport
import Testing

/// A folder for commands that need no manifest: `home/` has their input, `tmp/` is their TMPDIR.
final class Workshop {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        for name in ["home", "tmp", "calls"] { try folder.makeFolder(name) }
    }

    convenience init(_ sample: Scene.Sample) throws {
        try self.init()
        try FileManager.default.copyItem(atPath: Repository.sample("trainlog") + sample.path, toPath: box)
    }

    var box: String { folder["home/box"] }

    @discardableResult
    func godwit(_ arguments: String...) throws -> Invocation.Finished {
        let finished = try Invocation(
            arguments + ["--now", Scene.now], in: folder["calls"], directory: folder["home"],
            environment: ["TMPDIR": folder["tmp"]]
        ).finish()
        #expect(!finished.died)
        #expect(folder.names(in: "tmp") == [], "scratch is left")
        return finished
    }

    func open(_ name: String) throws -> SampleStore { try SampleStore(box + "/" + name) }

    func write(_ values: [String: Any], to name: String) throws {
        let path = box + "/" + name
        try FileManager.default.createDirectory(
            atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        try PropertyListSerialization.data(fromPropertyList: values, format: .binary, options: 0)
            .write(to: URL(filePath: path))
    }
}
