internal import GodwitFiles
package import GodwitModel

extension Shard {
    /// Whether a container belongs to this share.
    ///
    /// Decided by the name alone: the first 8 bytes, as a big-endian number, of the SHA-256 of its UTF-8, modulo the number of
    /// shares. So each share knows its own without asking the others, and a container that is added moves none of those
    /// that are there.
    package func takes(_ name: String) -> Bool {
        Self.remainder(of: name, by: count) == index - 1
    }

    /// Which of so many shares a container belongs to, counted from 1.
    package static func index(of name: String, among count: Int) -> Int { remainder(of: name, by: count) + 1 }

    private static func remainder(of name: String, by count: Int) -> Int {
        let number = sha256(Array(name.utf8)).prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return Int(number % UInt64(count))
    }
}
