package import GodwitModel

/// Numbers and values of SQLite as JSON.
extension JSONBuffer {
    /// An integer; beyond ±(2^53 − 1), where readers would round it, as `{"$int":"…"}`.
    package mutating func append(integer: Int64) {
        let exact: Int64 = 9_007_199_254_740_991
        if integer >= -exact, integer <= exact {
            append(digits: integer)
        } else {
            append("{\"$int\":\"")
            append(digits: integer)
            append("\"}")
        }
    }

    /// The decimal digits of an integer, with its sign.
    package mutating func append(digits number: Int64) {
        // 19 digits and a sign.
        reserve(20)
        if number < 0 { put(0x2D) }
        var rest = number.magnitude
        if rest < 10 { return put(UInt8(truncatingIfNeeded: rest) &+ 0x30) }
        let length = JSONBuffer.countOfDigits(rest)
        var place = count + length
        count = place
        while rest >= 10 {
            let quotient = rest / 10
            place -= 1
            memory[place] = UInt8(truncatingIfNeeded: rest &- quotient &* 10) &+ 0x30
            rest = quotient
        }
        memory[place - 1] = UInt8(truncatingIfNeeded: rest) &+ 0x30
    }

    private static func countOfDigits(_ number: UInt64) -> Int {
        var (length, bound) = (1, UInt64(10))
        while number >= bound {
            length += 1
            let (next, overflow) = bound.multipliedReportingOverflow(by: 10)
            if overflow { return length }
            bound = next
        }
        return length
    }

    /// A real, with infinities tagged.
    ///
    /// They become `{"$real":"Infinity"}`. SQLite stores NaN as NULL, so there is none.
    package mutating func append(real: Double) {
        guard real.isFinite else {
            append("{\"$real\":\"")
            if real.isNaN { append("NaN") } else if real < 0 { append("-Infinity") } else { append("Infinity") }
            return append("\"}")
        }
        if abs(real) < 1e15, real == real.rounded(.towardZero), !(real == 0 && real.sign == .minus) {
            append(digits: Int64(real))
            return append(".0")
        }
        if appendThousandths(real) { return }
        var text = real.description
        text.withUTF8 { append(raw: UnsafeRawBufferPointer($0)) }
    }

    /// Writes a real that is a whole number of thousandths; false for any other, and nothing is written.
    ///
    /// Decimals of up to 15 digits are doubles of their own (C, `DBL_DIG`), so the one that divides to this double is the
    /// shortest that reads back to it, once its last zeros are gone. Below 10^12 it has no more digits than that.
    private mutating func appendThousandths(_ real: Double) -> Bool {
        let magnitude = abs(real)
        guard magnitude < 1e12 else { return false }
        let thousandths = (magnitude * 1000).rounded()
        guard thousandths >= 1, thousandths / 1000 == magnitude else { return false }
        let number = Int64(thousandths)
        let (whole, fraction) = (number / 1000, UInt8(truncatingIfNeeded: number % 1000 / 10))
        let last = UInt8(truncatingIfNeeded: number % 10)
        if real < 0 { append(byte: 0x2D) }
        append(digits: whole)
        reserve(4)
        put(0x2E)
        put(fraction / 10 &+ 0x30)
        if fraction % 10 != 0 || last != 0 { put(fraction % 10 &+ 0x30) }
        if last != 0 { put(last &+ 0x30) }
        return true
    }

    /// Any value.
    package mutating func append(_ value: Value) {
        switch value {
        case .null: append("null")
        case .integer(let number): append(integer: number)
        case .real(let number): append(real: number)
        case .text(let text): text.withUnsafeBytes { append(text: $0) }
        case .blob(let blob): blob.withUnsafeBytes { append(blob: $0) }
        }
    }

    /// A blob as `{"$blob":"base64"}`.
    package mutating func append(blob: UnsafeRawBufferPointer) {
        append("{\"$blob\":\"")
        append(base64: blob)
        append("\"}")
    }

    /// RFC 4648, section 4.
    mutating func append(base64 data: UnsafeRawBufferPointer) {
        reserve((data.count + 2) / 3 * 4)
        var index = 0
        Base64.pairs.withUnsafeBufferPointer { pairs in
            let target = UnsafeMutableRawPointer(memory)
            while index + 2 < data.count {
                let group = Int(data[index]) << 16 | Int(data[index + 1]) << 8 | Int(data[index + 2])
                target.storeBytes(of: pairs[group >> 12], toByteOffset: count, as: UInt16.self)
                target.storeBytes(of: pairs[group & 0xFFF], toByteOffset: count + 2, as: UInt16.self)
                count += 4
                index += 3
            }
        }
        guard index < data.count else { return }
        let hasTwo = index + 1 < data.count
        let group = Int(data[index]) << 16 | (hasTwo ? Int(data[index + 1]) << 8 : 0)
        put(Base64.digits[group >> 18])
        put(Base64.digits[group >> 12 & 0x3F])
        put(hasTwo ? Base64.digits[group >> 6 & 0x3F] : 0x3D)
        put(0x3D)
    }
}
