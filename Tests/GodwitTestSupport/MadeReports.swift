import FoundationLite

/// The reports that tests make, kept for verifiers that share no code with Godwit.
///
/// Where the variable `GODWIT_REPORTS` names a folder, every report goes into it under the hash of its bytes, as `.json`,
/// `.xml` or `.html`. `Scripts/test` sets it and runs `Scripts/validate-reports` over the folder afterwards. Without it
/// nothing happens.
package enum MadeReports {
    /// Keeps a report in one of the forms that can be verified: `json`, `xml` or `html`.
    package static func keep(_ bytes: [UInt8], as form: String) throws {
        guard let folder = ProcessInfo.processInfo.environment["GODWIT_REPORTS"], !folder.isEmpty else { return }
        try MadeExports.keep(bytes, in: folder, suffix: "." + form)
    }
}
