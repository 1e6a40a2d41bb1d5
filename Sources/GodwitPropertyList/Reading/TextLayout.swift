/// The offsets of the parts of a text file's top-level dictionary, for an edit that changes nothing else.
struct TextLayout {
    /// One entry of the top-level dictionary.
    struct Entry {
        var key: String
        /// The key with its tags or quotes.
        var keyRange: Range<Int>
        /// The value with its tags, braces or quotes.
        var valueRange: Range<Int>
    }

    /// The dictionary with its tags or braces.
    var root: Range<Int> = 0..<0
    /// The start of its closing tag or brace; for `<dict/>` the end of that tag.
    var close = 0
    /// Whether the dictionary is written as one tag, `<dict/>`.
    var isEmptyTag = false
    var entries: [Entry] = []
}
