import Foundation
import GodwitTestSupport
import Testing

/// Too few descriptors are an error like any other, never a death by signal.
struct DescriptorTests {
    /// Calls the command through a shell that sets the limit.
    private func godwit(_ limit: Int, _ words: [String], in scene: Scene) throws -> (code: Int32, errors: String) {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments =
            ["-c", "ulimit -n \(limit); exec \"$@\"", "sh", try Executable.path()] + words
            + ["-m", scene.manifest, "-c", scene.container, "--now", Scene.now]
        let errors = Pipe()
        (process.standardInput, process.standardOutput) = (FileHandle.nullDevice, FileHandle.nullDevice)
        process.standardError = errors
        try process.run()
        let said = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        #expect(process.terminationReason == .exit)
        return (process.terminationStatus, String(decoding: said, as: UTF8.self))
    }

    @Test("with 48 descriptors everything works", arguments: ["plan", "run", "verify", "status"])
    func enough(_ command: String) throws {
        let scene = try Scene(.twoDevices)
        if command == "verify" { #expect(try scene.godwit("run", "-q").code == 0) }
        #expect(try godwit(48, [command], in: scene).code == 0)
    }

    @Test(
        "with fewer it is 74, before anything is looked at", arguments: [5, 6, 8, 24, 40],
        [["run"], ["run", "--json"]])
    func tooFew(_ limit: Int, _ words: [String]) throws {
        let scene = try Scene(.twoDevices)
        let before = try scene.fingerprint()
        let (code, errors) = try godwit(limit, words, in: scene)
        #expect(code == 74)
        #expect(errors.contains("Too few files can be opened"))
        #expect(errors.hasPrefix(words.contains("--json") ? "{" : "godwit: error: "))
        try scene.expectUnchanged(since: before)
    }
}
