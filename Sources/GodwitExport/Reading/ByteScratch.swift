internal import GodwitModel

/// Memory for decoded values: texts without escapes, and bytes from base64.
///
/// Emptied for each record, but not released. Offsets stay valid when it grows.
struct ByteScratch: ~Copyable {
    private var memory: UnsafeMutableRawPointer
    private var capacity = 1 << 12
    private(set) var count = 0

    init() { memory = .allocate(byteCount: 1 << 12, alignment: 16) }

    deinit { memory.deallocate() }

    /// Valid until the next byte is added.
    var bytes: UnsafeRawPointer { UnsafeRawPointer(memory) }

    mutating func removeAll() { count = 0 }

    mutating func reserve(_ more: Int) {
        guard count + more > capacity else { return }
        var size = capacity
        while size < count + more { size *= 2 }
        let larger = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
        larger.copyMemory(from: memory, byteCount: count)
        memory.deallocate()
        (memory, capacity) = (larger, size)
    }

    /// Adds a byte; there must be room for it.
    @inline(__always)
    private mutating func add(_ byte: UInt8) {
        memory.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
        count += 1
    }

    /// Adds a text without its escapes.
    ///
    /// - Returns: false for an invalid escape (RFC 8259), half of a surrogate pair, or NUL.
    mutating func append(unescaping text: UnsafeRawBufferPointer) -> Bool {
        // An escape is never shorter than its character.
        reserve(text.count)
        var index = 0
        while index < text.count {
            let byte = text[index]
            index += 1
            guard byte == 0x5C else {
                add(byte)
                continue
            }
            guard index < text.count else { return false }
            let kind = text[index]
            index += 1
            switch kind {
            case 0x22, 0x5C, 0x2F: add(kind)
            case 0x62: add(0x08)
            case 0x66: add(0x0C)
            case 0x6E: add(0x0A)
            case 0x72: add(0x0D)
            case 0x74: add(0x09)
            case 0x75:
                guard let scalar = Self.scalar(text, &index) else { return false }
                for unit in UTF8.encode(scalar) ?? .init() { add(unit) }
            default: return false
            }
        }
        return true
    }

    /// The character of one or two `\uXXXX`.
    private static func scalar(_ text: UnsafeRawBufferPointer, _ index: inout Int) -> Unicode.Scalar? {
        guard let first = hexDigits(text, &index), first != 0 else { return nil }
        guard (0xD800...0xDFFF).contains(first) else { return Unicode.Scalar(first) }
        guard first < 0xDC00, index + 1 < text.count, text[index] == 0x5C, text[index + 1] == 0x75 else { return nil }
        index += 2
        guard let second = hexDigits(text, &index), (0xDC00...0xDFFF).contains(second) else { return nil }
        return Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
    }

    private static func hexDigits(_ text: UnsafeRawBufferPointer, _ index: inout Int) -> UInt32? {
        guard index + 4 <= text.count else { return nil }
        var value: UInt32 = 0
        for _ in 0..<4 {
            let byte = text[index]
            index += 1
            switch byte {
            case 0x30...0x39: value = value << 4 | UInt32(byte - 0x30)
            case 0x41...0x46: value = value << 4 | UInt32(byte - 0x37)
            case 0x61...0x66: value = value << 4 | UInt32(byte - 0x57)
            default: return nil
            }
        }
        return value
    }

    /// Decodes base64: RFC 4648, section 4, padded, no other characters, unused bits zero.
    ///
    /// - Returns: false for anything else: different texts of the same bytes would give one content several documents.
    mutating func append(base64 text: UnsafeRawBufferPointer) -> Bool {
        guard text.count % 4 == 0 else { return false }
        guard text.count > 0 else { return true }
        let padding = text[text.count - 1] != 0x3D ? 0 : text[text.count - 2] != 0x3D ? 1 : 2
        reserve(text.count / 4 * 3)
        var (bits, held) = (UInt32(0), 0)
        for index in 0..<text.count - padding {
            guard let digit = Self.base64Digit(text[index]) else { return false }
            bits = bits << 6 | UInt32(digit)
            held += 6
            guard held >= 8 else { continue }
            held -= 8
            add(UInt8(truncatingIfNeeded: bits >> UInt32(held)))
            bits &= 1 << UInt32(held) - 1
        }
        return bits == 0
    }

    @inline(__always)
    private static func base64Digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x41...0x5A: byte - 0x41
        case 0x61...0x7A: byte - 0x47
        case 0x30...0x39: byte + 4
        case 0x2B: 62
        case 0x2F: 63
        default: nil
        }
    }
}
