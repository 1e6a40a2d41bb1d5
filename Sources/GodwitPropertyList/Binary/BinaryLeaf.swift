internal import GodwitModel

/// Decodes the objects of a binary property list that have no children.
enum BinaryLeaf {
    /// Why a value cannot be represented.
    struct Fault: Error {
        let reason: String
    }

    /// The value of an object that is neither an array nor a dictionary.
    static func value(of object: BinaryObject, in bytes: [UInt8]) throws(Fault) -> LegacyValue {
        let payload = bytes[object.payload]
        switch object.kind {
        case .bool: return .bool(bytes[object.start] == 0x09)
        case .integer: return integer(payload)
        case .real: return .real(try finite(real(payload)))
        case .date: return .date(try date(real(payload)))
        case .data: return .data(Array(payload))
        case .ascii: return .string(try ascii(payload))
        case .utf16: return .string(try utf16(payload))
        case .uid: return .uid(payload.reduce(0) { $0 << 8 | UInt64($1) })
        case .array, .dictionary: throw Fault(reason: "a container where a value was expected")
        }
    }

    /// Integers of 1, 2 and 4 bytes are unsigned; those of 8 and 16 bytes are two's complement.
    private static func integer(_ bytes: ArraySlice<UInt8>) -> LegacyValue {
        guard bytes.count == 16 else {
            return .integer(Int64(bitPattern: bytes.reduce(0) { $0 << 8 | UInt64($1) }))
        }
        let wide = Int128(truncatingIfNeeded: bytes.reduce(UInt128(0)) { $0 << 8 | UInt128($1) })
        return Int64(exactly: wide).map(LegacyValue.integer) ?? .bigInteger(String(wide))
    }

    private static func real(_ bytes: ArraySlice<UInt8>) -> Double {
        let bits = bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return bytes.count == 4
            ? Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits))) : Double(bitPattern: bits)
    }

    private static func finite(_ number: Double) throws(Fault) -> Double {
        guard !number.isNaN else { throw Fault(reason: "NaN cannot be stored as a number") }
        return number
    }

    private static func date(_ seconds: Double) throws(Fault) -> Instant {
        guard let instant = Instant(coreDataSeconds: seconds), instant.hasFourDigitYear else {
            throw Fault(reason: "date out of range")
        }
        return instant
    }

    private static func ascii(_ bytes: ArraySlice<UInt8>) throws(Fault) -> String {
        guard bytes.allSatisfy({ $0 < 0x80 }) else { throw Fault(reason: "text is not valid ASCII") }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func utf16(_ bytes: ArraySlice<UInt8>) throws(Fault) -> String {
        let units = stride(from: bytes.startIndex, to: bytes.endIndex, by: 2).map {
            UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1])
        }
        guard let text = String(validating: units, as: UTF16.self) else {
            throw Fault(reason: "text is not valid Unicode")
        }
        return text
    }
}
