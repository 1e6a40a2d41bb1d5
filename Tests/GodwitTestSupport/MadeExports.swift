import FoundationLite
import Crypto

/// The exports that tests make, kept for verifiers that share no code with Godwit.
///
/// Where the variable `GODWIT_EXPORTS` names a folder, every export goes into it under the hash of its bytes, so that
/// the same one is there once. `Scripts/test` sets it and runs `Scripts/validate-exports` over the folder afterwards.
/// Without it nothing happens. Documents that a test spoils on purpose are never handed over.
package enum MadeExports {
    private static let variable = "GODWIT_EXPORTS"

    /// Keeps a file that an export has just been written to.
    package static func keep(_ path: String) throws {
        guard let folder = folder(of: ProcessInfo.processInfo.environment) else { return }
        try keep(Array(Data(contentsOf: URL(filePath: path))), in: folder)
    }

    /// Keeps an export that went to standard output.
    package static func keep(_ bytes: [UInt8]) throws {
        guard let folder = folder(of: ProcessInfo.processInfo.environment) else { return }
        try keep(bytes, in: folder)
    }

    /// The folder that an environment names; nil where it names none.
    package static func folder(of environment: [String: String]) -> String? {
        guard let folder = environment[variable], !folder.isEmpty else { return nil }
        return folder
    }

    /// Writes bytes under the name of their hash; tests run side by side, so whole or not at all.
    package static func keep(_ bytes: [UInt8], in folder: String, suffix: String = "") throws {
        let digest = SHA256.hash(data: bytes)
        let name = digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        let path = folder + "/" + name + suffix
        guard !FileManager.default.fileExists(atPath: path) else { return }
        try Data(bytes).write(to: URL(filePath: path), options: .atomic)
    }
}
