/// Why a legacy value does not have the content that a rule of the manifest expects.
package struct LegacyContentError: Error {
    /// The actual content, as the end of a sentence.
    package let reason: String

    package init(reason: String) { self.reason = reason }
}
