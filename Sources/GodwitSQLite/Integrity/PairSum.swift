/// The sum of pairs of words by NH, <https://datatracker.ietf.org/doc/html/draft-krovetz-vmac-01#section-3.4>: the words of
/// each have secret numbers added, and are multiplied.
///
/// Two lists of pairs that differ have the same sum with a probability of about 2 to the power of -64, however they were
/// chosen: the secrets are drawn by lot in each process. The sum itself must stay secret as well: it is hashed by `SipHash`.
package struct PairSum: Sendable {
    /// The most pairs of a sum: each has secrets of its own.
    package static let mostPairs = 64

    /// The secret numbers of this process, two for each pair: to be asked for once in a scan.
    package struct Secrets: @unchecked Sendable {
        // Memory that is written to once and never given back: an array's owners would be counted again at each use.
        fileprivate let numbers: UnsafePointer<UInt64>

        package static let drawn: Secrets = {
            var source = SystemRandomNumberGenerator()
            let numbers = UnsafeMutablePointer<UInt64>.allocate(capacity: 2 * mostPairs)
            for place in 0..<2 * mostPairs { (numbers + place).initialize(to: source.next()) }
            return Secrets(numbers: UnsafePointer(numbers))
        }()
    }

    private var sum: UInt128 = 0

    @inline(__always)
    package init() {}

    /// Adds as many pairs as a sum can have, which lie one after the other.
    package mutating func add(block: UnsafeRawBufferPointer, _ secrets: Secrets) {
        for pair in 0..<PairSum.mostPairs {
            let first = block.loadUnaligned(fromByteOffset: pair &* 16, as: UInt64.self)
            let second = block.loadUnaligned(fromByteOffset: pair &* 16 &+ 8, as: UInt64.self)
            add(first, second, at: pair, secrets)
        }
    }

    /// Adds a pair, `place` being how many came before it: fewer than `mostPairs`.
    @inline(__always)
    mutating func add(_ first: UInt64, _ second: UInt64, at place: Int, _ secrets: Secrets) {
        let numbers = secrets.numbers + (place &* 2) & (2 &* PairSum.mostPairs &- 1)
        let (high, low) = (first &+ numbers[0]).multipliedFullWidth(by: second &+ numbers[1])
        sum &+= UInt128(truncatingIfNeeded: high) << 64 | UInt128(truncatingIfNeeded: low)
    }

    /// Hands the sum to a hash.
    @inline(__always)
    package func combine(into hash: inout SipHash) {
        hash.combine(UInt64(truncatingIfNeeded: sum))
        hash.combine(UInt64(truncatingIfNeeded: sum >> 64))
    }
}
