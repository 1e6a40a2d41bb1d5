/// The keys of one dictionary seen so far, compared by bytes.
///
/// A set of `String` would take keys for equal that differ in Unicode normalisation only.
package struct ByteKeys {
    private var seen: Set<[UInt8]> = []

    package init() {}

    /// Adds a key; false where it is there already.
    package mutating func insert(_ key: String) -> Bool {
        seen.insert(Array(key.utf8)).inserted
    }
}
