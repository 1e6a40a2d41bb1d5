extension String {
    /// The text with escapes for all characters that control a terminal or are invisible: `\u{1b}`.
    ///
    /// That is: C0 and C1 controls (newline included: one value stays on one line), line and paragraph separators,
    /// bidirectional controls (<https://www.unicode.org/reports/tr9/>, the "Trojan source" characters), and characters
    /// without a width, except the joiners that emoji and scripts need.
    package var escapingControls: String {
        guard unicodeScalars.contains(where: \.isUnsafeToShow) else { return self }
        var safe = ""
        for scalar in unicodeScalars {
            if scalar.isUnsafeToShow {
                safe += "\\u{\(String(scalar.value, radix: 16))}"
            } else {
                safe.unicodeScalars.append(scalar)
            }
        }
        return safe
    }
}

extension Unicode.Scalar {
    /// Whether the scalar is written as `\u{…}`.
    fileprivate var isUnsafeToShow: Bool {
        switch value {
        case 0x20...0x7E: false
        case 0...0x1F, 0x7F...0x9F: true
        case 0xAD, 0x61C, 0x180E, 0x200B, 0x200E, 0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF: true
        case 0xFFF9...0xFFFB, 0xE0000...0xE007F: true
        default: false
        }
    }
}
