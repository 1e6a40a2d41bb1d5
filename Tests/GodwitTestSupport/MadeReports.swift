import FoundationLite

/// The reports that tests make, kept for verifiers that share no code with Godwit.
///
/// Where the variable `GODWIT_REPORTS` names a folder, each report is written there under the hash of its bytes, as
/// `.json`, `.xml` or `.html`. `Scripts/test` sets it and runs `Scripts/validate-reports` on the folder afterwards.
/// Without the variable nothing is kept.
package enum MadeReports {
    /// Keeps a report as `json`, `xml` or `html`.
    package static func keep(_ bytes: [UInt8], as form: String) throws {
        guard let folder = ProcessInfo.processInfo.environment["GODWIT_REPORTS"], !folder.isEmpty else { return }
        try MadeExports.keep(bytes, in: folder, suffix: "." + form)
    }
}
