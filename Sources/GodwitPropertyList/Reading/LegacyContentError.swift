/// Why a legacy value does not have the content that a rule of the manifest expects.
package struct LegacyContentError: Error {
    /// What the value is instead, as the end of a sentence.
    package let reason: String

    package init(reason: String) { self.reason = reason }
}
