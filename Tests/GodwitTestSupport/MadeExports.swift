import FoundationLite
import Crypto

/// The exports that tests make, kept for verifiers that share no code with Godwit.
///
/// Where the variable `GODWIT_EXPORTS` names a folder, each export is written there under the hash of its bytes, so
/// that equal exports are kept once. `Scripts/test` sets it and runs `Scripts/validate-exports` on the folder
/// afterwards. Without the variable nothing is kept. Documents that a test damages on purpose are never kept.
package enum MadeExports {
    private static let variable = "GODWIT_EXPORTS"

    /// Keeps a file that an export has just written.
    package static func keep(_ path: String) throws {
        guard let folder = folder(of: ProcessInfo.processInfo.environment) else { return }
        try keep(Array(Data(contentsOf: URL(filePath: path))), in: folder)
    }

    /// Keeps an export that went to standard output.
    package static func keep(_ bytes: [UInt8]) throws {
        guard let folder = folder(of: ProcessInfo.processInfo.environment) else { return }
        try keep(bytes, in: folder)
    }

    /// The folder that the environment names, if any.
    package static func folder(of environment: [String: String]) -> String? {
        guard let folder = environment[variable], !folder.isEmpty else { return nil }
        return folder
    }

    /// Writes the bytes to a file named by their hash, atomically, because tests run in parallel.
    package static func keep(_ bytes: [UInt8], in folder: String, suffix: String = "") throws {
        let digest = SHA256.hash(data: bytes)
        let name = digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        let path = folder + "/" + name + suffix
        guard !FileManager.default.fileExists(atPath: path) else { return }
        try Data(bytes).write(to: URL(filePath: path), options: .atomic)
    }
}
