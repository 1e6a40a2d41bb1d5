/// The encoding of a list of favorites in a legacy value.
package enum FavoritesEncoding: String, Sendable, Codable, CaseIterable {
    /// Decided by the value's type and content.
    case auto
    /// A property-list or JSON array.
    case array
    /// JSON text, in a string or in data.
    case json
    /// Comma-separated values, in a string or in data.
    case csv
    /// Keys are the favorites; values are booleans or the date of marking.
    case dictionary
    /// An `NSKeyedArchiver` archive of an array or a set of strings.
    case keyedArchive
}
