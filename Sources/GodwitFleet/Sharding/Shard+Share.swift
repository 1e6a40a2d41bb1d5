internal import GodwitFiles
package import GodwitModel

extension Shard {
    /// Whether a container belongs to this shard.
    ///
    /// Only the name decides: the first 8 bytes of the SHA-256 of its UTF-8, as a big-endian number, modulo the number
    /// of shards. So each shard knows its containers without the others, and a new container moves no other one.
    package func takes(_ name: String) -> Bool {
        Self.remainder(of: name, by: count) == index - 1
    }

    /// The shard to which a container belongs, from 1.
    package static func index(of name: String, among count: Int) -> Int { remainder(of: name, by: count) + 1 }

    private static func remainder(of name: String, by count: Int) -> Int {
        let number = sha256(Array(name.utf8)).prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return Int(number % UInt64(count))
    }
}
