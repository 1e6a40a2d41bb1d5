/// A text that has the signs of `2026-03-01T07:15:00.123Z` in their places, whatever stands where the digits should.
///
/// Two of them that are dates have the order of their bytes. One that `Instant.init(plain:)` can't read is none at all.
package struct PlainDateText {
    private let words: (UInt64, UInt64, UInt64)

    package init?(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count == 24 else { return nil }
        func word(_ place: Int) -> UInt64 {
            UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self))
        }
        words = (word(0), word(8), word(16))
        // In "2026-03-", "01T07:15" and ":00.123Z" the bytes of the signs alone.
        guard words.0 & 0x0000_0000_FF00_00FF == 0x0000_0000_2D00_002D,
            words.1 & 0x0000_FF00_00FF_0000 == 0x0000_5400_003A_0000,
            words.2 & 0xFF00_00FF_0000_00FF == 0x3A00_002E_0000_005A
        else { return nil }
    }

    /// Whether its bytes stand behind those of another.
    package static func > (one: PlainDateText, other: PlainDateText) -> Bool { one.words > other.words }
}
