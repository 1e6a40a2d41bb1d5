/// A text with the separators of `2026-03-01T07:15:00.123Z`, and any bytes where digits should be.
///
/// The order of two dates is the order of their bytes. A text that `Instant.init(plain:)` cannot read is not a date.
package struct PlainDateText {
    private let words: (UInt64, UInt64, UInt64)

    package init?(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count == 24 else { return nil }
        func word(_ offset: Int) -> UInt64 {
            UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
        }
        words = (word(0), word(8), word(16))
        // Compares only the bytes of the separators in "2026-03-", "01T07:15" and ":00.123Z".
        guard words.0 & 0x0000_0000_FF00_00FF == 0x0000_0000_2D00_002D,
            words.1 & 0x0000_FF00_00FF_0000 == 0x0000_5400_003A_0000,
            words.2 & 0xFF00_00FF_0000_00FF == 0x3A00_002E_0000_005A
        else { return nil }
    }

    /// Whether its bytes sort after those of another text.
    package static func > (one: PlainDateText, other: PlainDateText) -> Bool { one.words > other.words }
}
