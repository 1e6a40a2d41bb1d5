import Foundation
import GodwitTestSupport
import Testing

extension Scene {
    /// Calls the command through a shell with a limit in the form of `ulimit`; the command must end by itself.
    func godwit(under limit: String, _ words: [String]) throws -> (code: Int32, errors: String) {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments =
            ["-c", "ulimit \(limit); exec \"$@\"", "sh", try Executable.path()] + words
            + ["-m", manifest, "-c", container, "--now", Self.now]
        process.environment = ProcessInfo.processInfo.environment.merging(["TMPDIR": folder["tmp"]]) { $1 }
        let errors = Pipe()
        (process.standardInput, process.standardOutput) = (FileHandle.nullDevice, FileHandle.nullDevice)
        process.standardError = errors
        try process.run()
        let said = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        #expect(process.terminationReason == .exit)
        return (process.terminationStatus, String(decoding: said, as: UTF8.self))
    }
}
