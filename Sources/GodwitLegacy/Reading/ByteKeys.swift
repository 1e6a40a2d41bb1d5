/// The keys of one dictionary seen so far, compared by bytes.
///
/// A set of `String` would take keys for equal that differ in Unicode normalisation only.
struct ByteKeys {
    private var seen: Set<[UInt8]> = []

    /// Adds a key; false where it is there already.
    mutating func insert(_ key: String) -> Bool {
        seen.insert(Array(key.utf8)).inserted
    }
}
