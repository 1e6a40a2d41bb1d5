/// A random number generator with a seed: SplitMix64, <https://prng.di.unimi.it/splitmix64.c>.
package struct Dice: RandomNumberGenerator {
    private var state: UInt64

    /// The seed is mixed first, so that seeds in a row don't give shifted copies of one sequence.
    package init(seed: UInt64) {
        state = seed
        state = next() ^ 0x5851_F42D_4C95_7F2D &* seed
    }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    /// A number from 0 up to `sides`, without `sides`.
    package mutating func roll(_ sides: Int) -> Int { Int.random(in: 0..<sides, using: &self) }

    /// True in one of `sides` cases.
    package mutating func hits(oneIn sides: Int) -> Bool { roll(sides) == 0 }

    package mutating func pick<T>(_ choices: [T]) -> T { choices[roll(choices.count)] }
}
