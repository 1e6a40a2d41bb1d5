import Foundation
import Testing

/// Common tools as independent implementations: the reader must read what they pack, and they must unpack what the
/// writer packs.
enum Gzip {
    /// Runs a command with these bytes as input; nil if it failed.
    static func run(_ command: String, _ arguments: [String], _ input: [UInt8]) throws -> [UInt8]? {
        let folder = FileManager.default.temporaryDirectory.appending(path: "godwit-gzip-" + UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (given, made) = (folder.appending(path: "in"), folder.appending(path: "out"))
        try Data(input).write(to: given)
        try Data().write(to: made)
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [command] + arguments
        process.standardInput = try FileHandle(forReadingFrom: given)
        process.standardOutput = try FileHandle(forWritingTo: made)
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        return process.terminationStatus == 0 ? Array(try Data(contentsOf: made)) : nil
    }

    static func pack(_ bytes: [UInt8], level: Int = 6) throws -> [UInt8] {
        try #require(try run("gzip", ["-c", "-n", "-\(level)"], bytes))
    }

    static func unpack(_ bytes: [UInt8]) throws -> [UInt8]? { try run("gzip", ["-d", "-c"], bytes) }
}
