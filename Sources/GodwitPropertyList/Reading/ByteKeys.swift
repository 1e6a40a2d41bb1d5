/// The keys of one dictionary so far, compared by bytes; a set of `String` would treat keys as equal that differ only
/// in Unicode normalization.
package struct ByteKeys {
    private var seen: Set<[UInt8]> = []

    package init() {}

    /// Adds a key; false if it is already there.
    package mutating func insert(_ key: String) -> Bool {
        seen.insert(Array(key.utf8)).inserted
    }
}
