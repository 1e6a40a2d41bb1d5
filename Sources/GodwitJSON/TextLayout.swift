/// The ranges of the parts of a top-level dictionary in a text file, for an edit that changes nothing else.
///
/// Offsets are in bytes from the start of the file.
package struct TextLayout {
    /// One entry of the top-level dictionary.
    package struct Entry {
        package var key: String
        /// The key with its tags or quotes.
        package var keyRange: Range<Int>
        /// The value with its tags, braces or quotes.
        package var valueRange: Range<Int>

        package init(key: String, keyRange: Range<Int>, valueRange: Range<Int>) {
            (self.key, self.keyRange, self.valueRange) = (key, keyRange, valueRange)
        }
    }

    /// The dictionary with its tags or braces.
    package var root: Range<Int> = 0..<0
    /// Where its closing tag or brace starts; for `<dict/>` the end of that tag.
    package var close = 0
    /// Whether the dictionary is written as one tag, `<dict/>`.
    package var isEmptyTag = false
    package var entries: [Entry] = []

    package init() {}
}
