import Libc
import Foundation
import GodwitTestSupport
import Testing

/// One call of the command.
///
/// Output goes to files, not pipes, which would have to be read; so any number of calls can run in parallel.
final class Invocation {
    /// The results of a finished call.
    struct Finished {
        let code: Int32
        /// Whether a signal ended the process, which must never happen.
        let died: Bool
        let output: [UInt8]
        let errors: [UInt8]

        var text: String { String(decoding: output, as: UTF8.self) }
        var errorText: String { String(decoding: errors, as: UTF8.self) }
        var errorLines: [Substring] { errorText.split(separator: "\n") }

        func json() throws -> JSONValue { try JSONValue(output) }
    }

    private let process = Process()
    private let folder: String
    private let arguments: [String]
    private let directory: String?

    /// Starts the command.
    ///
    /// - Parameters:
    ///   - input: a file for standard input, instead of nothing.
    ///   - folder: for its two output streams and its temporary files.
    ///   - output: an existing file or device to use as standard output.
    ///   - environment: added to this process's environment, without the variables that Godwit reads.
    ///   - isDeaf: whether it starts with the signals blocked that ask it to end.
    init(
        _ arguments: [String], in folder: String, input: String? = nil, output: String? = nil, directory: String? = nil,
        environment: [String: String] = [:], isDeaf: Bool = false
    ) throws {
        self.folder = folder + "/call-" + UUID().uuidString
        (self.arguments, self.directory) = (arguments, directory)
        try FileManager.default.createDirectory(atPath: self.folder, withIntermediateDirectories: false)
        // The audit of system calls runs each command in a recorder: see Scripts/faults/audit.py.
        if let wrapper = ProcessInfo.processInfo.environment["GODWIT_TEST_WRAPPER"] {
            process.executableURL = URL(filePath: wrapper)
            process.arguments = [try Executable.path()] + arguments
        } else {
            process.executableURL = URL(filePath: try Executable.path())
            process.arguments = arguments
        }
        process.environment = Self.environment.merging(environment) { $1 }
        if let directory { process.currentDirectoryURL = URL(filePath: directory) }
        process.standardInput = try input.map { try FileHandle(forReadingFrom: URL(filePath: $0)) } ?? .nullDevice
        process.standardOutput = try Self.sink(output ?? self.folder + "/output")
        process.standardError = try Self.sink(self.folder + "/errors")
        try isDeaf ? StopSignals.blocked { try process.run() } : StopSignals.unblocked { try process.run() }
    }

    var isRunning: Bool { process.isRunning }

    /// The standard output so far.
    var outputSoFar: String { text(of: "output") }

    /// The standard error so far.
    var errorsSoFar: String { text(of: "errors") }

    private func text(of stream: String) -> String {
        String(decoding: (try? Data(contentsOf: URL(filePath: folder + "/" + stream))) ?? Data(), as: UTF8.self)
    }

    var identifier: Int32 { process.processIdentifier }

    /// Waits for this number of lines on standard output, at most ``hangGuard``.
    func wait(forLines count: Int, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let end = ContinuousClock.now + .hangGuard
        while true {
            if outputSoFar.utf8.count(where: { $0 == 0x0A }) >= count { return }
            guard process.isRunning, ContinuousClock.now < end else {
                Issue.record("\(outputSoFar)", sourceLocation: sourceLocation)
                process.terminate()
                throw CancellationError()
            }
            usleep(10_000)
        }
    }

    func interrupt() { process.interrupt() }

    func terminate() { process.terminate() }

    func finish() throws -> Finished {
        process.waitUntilExit()
        let output = (try? Data(contentsOf: URL(filePath: folder + "/output"))) ?? Data()
        let errors = try Data(contentsOf: URL(filePath: folder + "/errors"))
        try FileManager.default.removeItem(atPath: folder)
        if process.terminationStatus == 0 { try keepExport(Array(output)) }
        try keepReport(Array(output), Array(errors))
        return Finished(
            code: process.terminationStatus, died: process.terminationReason == .uncaughtSignal, output: Array(output),
            errors: Array(errors))
    }

    /// Keeps an export for the verifiers: its file, or standard output.
    private func keepExport(_ output: [UInt8]) throws {
        let writesNothing: Set = ["-n", "--dry-run", "-h", "--help"]
        // With many containers `-o` names the report, and each container has its own folder.
        guard arguments.first == "export", !arguments.contains("--all"), writesNothing.isDisjoint(with: arguments)
        else { return }
        if let option = arguments.firstIndex(of: "--into") {
            // The link refers to the newest complete export; a selection has its own link.
            let latest = arguments[option + 1] + "/latest"
            if FileManager.default.fileExists(atPath: latest) { try MadeExports.keep(latest) }
            return
        }
        let named = arguments.firstIndex { ["-o", "--output"].contains($0) }.map { arguments[$0 + 1] }
        if let named, named != "-" {
            let folder = URL(
                filePath: directory ?? FileManager.default.currentDirectoryPath, directoryHint: .isDirectory)
            let path = URL(filePath: named, relativeTo: folder).path
            // With `--if-changed` nothing is written when nothing has changed.
            let isThere = FileManager.default.fileExists(atPath: path)
            if isThere || !arguments.contains("--if-changed") { try MadeExports.keep(path) }
        } else if !output.isEmpty {
            try MadeExports.keep(output)
        }
    }

    /// Keeps a report, or an error as JSON, for the verifiers.
    private func keepReport(_ output: [UInt8], _ errors: [UInt8]) throws {
        let named = arguments.firstIndex(of: "--format").map { arguments[$0 + 1] }
        let form = arguments.contains("--json") ? "json" : named.flatMap { ["junit": "xml"][$0] ?? $0 } ?? ""
        // A service writes one line at a time, and no report.
        guard ["json", "xml", "html"].contains(form), !arguments.contains("--every") else { return }
        if arguments.contains("--watch"), form == "json" {
            for line in output.split(separator: 0x0A) { try MadeReports.keep(line + [0x0A], as: form) }
            return
        }
        // An export on standard output is no report; its report is then on standard error.
        let isExport = arguments.first == "export" && Set(["-o", "-n", "--into", "--all"]).isDisjoint(with: arguments)
        for bytes in isExport && process.terminationStatus == 0 ? [errors] : [output, form == "json" ? errors : []]
        where !bytes.isEmpty && (bytes[0] == UInt8(ascii: "{") || bytes[0] == UInt8(ascii: "<")) {
            try MadeReports.keep(bytes, as: form)
        }
    }

    private static func sink(_ path: String) throws -> FileHandle {
        if !FileManager.default.fileExists(atPath: path) {
            _ = FileManager.default.createFile(atPath: path, contents: nil)
        }
        return try FileHandle(forWritingTo: URL(filePath: path))
    }

    private static var environment: [String: String] {
        let foreign = ["SOURCE_DATE_EPOCH", "NO_COLOR"]
        let prefixes = ["GODWIT_", "GITHUB_", "SLURM_", "JOB_COMPLETION", "AWS_BATCH_", "SGE_TASK_", "PBS_ARRAY_"]
        return ProcessInfo.processInfo.environment.filter { name, _ in
            !prefixes.contains { name.hasPrefix($0) } && !foreign.contains(name)
        }
    }
}
