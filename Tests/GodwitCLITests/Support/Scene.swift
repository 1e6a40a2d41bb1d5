import Foundation
import GodwitTestSupport
import Testing

/// A container for one test with a manifest, and the command to run on them.
///
/// `home/` has the manifest, migrations and container, `tmp/` is the command's TMPDIR, `calls/` has its output.
final class Scene {
    enum Sample: String, CaseIterable {
        case container
        case twoDevices = "two-devices"
        case interrupted
        case empty

        var path: String {
            self == .container ? "/container" : "/scenarios/\(rawValue)/container"
        }
    }

    static let plist = "Library/Preferences/com.example.trainlog.plist"
    static let local = "Library/Application Support/TrainLog.store"
    static let cloud = "Library/Application Support/TrainLogCloud.store"
    /// The clock of all calls: nine hours after the app was last used.
    static let now = "2026-11-21T06:00:00Z"

    let folder: TemporaryFolder

    /// A copy of a sample, its property list dated with the fixed time on the sample's page.
    convenience init(_ sample: Sample = .container) throws {
        try self.init(app: "trainlog", container: sample.path, preferences: [Self.plist])
    }

    /// A copy of a container of any sample app, its preferences dated with that time.
    init(app: String, container path: String, preferences: [String], manifest name: String = "godwit.yaml") throws {
        folder = try TemporaryFolder()
        for name in ["home", "tmp", "calls"] { try folder.makeFolder(name) }
        try Self.copy(Repository.sample(app) + path, to: container)
        try Self.copy(Repository.migrations(app), to: folder["home/Migrations"])
        let manifest = try String(contentsOfFile: Repository.sample(app) + "/" + name, encoding: .utf8)
        try write(manifest: manifest.replacingOccurrences(of: "../../Migrations/\(app)", with: "Migrations"))
        for name in preferences where exists(name) { try date(name) }
    }

    var container: String { folder["home/container"] }

    var manifest: String { folder["home/godwit.yaml"] }

    // MARK: Calling

    /// Runs a command on the container and waits for its end.
    @discardableResult
    func godwit(
        _ arguments: String..., output: String? = nil, environment: [String: String] = [:]
    ) throws -> Invocation.Finished {
        try start(arguments, output: output, environment: environment).finish()
    }

    func start(
        _ arguments: [String], output: String? = nil, environment: [String: String] = [:]
    ) throws -> Invocation {
        let common = ["-m", manifest, "-c", container, "--now", Self.now]
        return try startBare(arguments + common, output: output, environment: environment)
    }

    /// Starts a command with these arguments only, from the manifest's folder.
    func startBare(
        _ arguments: [String], output: String? = nil, environment: [String: String] = [:]
    ) throws -> Invocation {
        try Invocation(
            arguments, in: folder["calls"], output: output, directory: folder["home"],
            environment: ["TMPDIR": folder["tmp"]].merging(environment) { $1 })
    }

    // MARK: The container

    func path(_ name: String) -> String { container + "/" + name }

    /// The same, relative to the scene's folder.
    func inFolder(_ name: String) -> String { "home/container/" + name }

    func exists(_ name: String) -> Bool { folder.exists(inFolder(name)) }

    /// Sets the property list's date to 2026-11-20T21:14:03Z.
    func datePropertyList() throws { try date(Self.plist) }

    private func date(_ name: String) throws {
        try folder.setModified(seconds: 1_795_209_243, of: inFolder(name))
    }

    func write(propertyList bytes: [UInt8]) throws {
        try folder.write(bytes, to: inFolder(Self.plist))
        try datePropertyList()
    }

    /// Replaces the property list by an XML one with this content.
    func write(propertyList inside: String) throws {
        try write(
            propertyList: Array("<?xml version=\"1.0\"?>\n<plist version=\"1.0\">\(inside)</plist>\n".utf8))
    }

    func write(manifest text: String) throws { try folder.write(text, to: "home/godwit.yaml") }

    /// Replaces a part of the manifest, which must exist.
    func edit(_ part: String, _ replacement: String) throws {
        let text = try folder.text(of: "home/godwit.yaml")
        try #require(text.contains(part))
        try write(manifest: text.replacingOccurrences(of: part, with: replacement))
    }

    func open(_ store: String, journal: String? = nil) throws -> SampleStore {
        try SampleStore(path(store), journal: journal)
    }

    /// The current state of container, manifest and migrations.
    func fingerprint() throws -> FolderFingerprint { try FolderFingerprint(folder["home"]) }

    /// The files that the command left in its TMPDIR.
    var leftovers: [String] { folder.names(in: "tmp") }

    private static func copy(_ source: String, to target: String) throws {
        try FileManager.default.copyItem(atPath: source, toPath: target)
    }
}
