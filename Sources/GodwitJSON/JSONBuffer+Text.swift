internal import CTextShim

/// Text as JSON strings: checked, escaped and copied in one pass, sixteen bytes at a time where they are plain.
extension JSONBuffer {
    /// A Swift string as a JSON string.
    package mutating func append(string: String) {
        var copy = string
        copy.withUTF8 { bytes in
            let text = UnsafeRawBufferPointer(bytes)
            // Swift's strings are UTF-8, but may hold NUL.
            if !append(quoting: text, allowsNUL: true) { append(tagged: text) }
        }
    }

    /// Text as a JSON string, or as `{"$text":"base64"}` if it is not valid UTF-8 or has a NUL.
    package mutating func append(text: UnsafeRawBufferPointer) {
        if !append(quoting: text, allowsNUL: false) { append(tagged: text) }
    }

    private mutating func append(tagged text: UnsafeRawBufferPointer) {
        append("{\"$text\":\"")
        append(base64: text)
        append("\"}")
    }

    /// Writes text between quotation marks; false if it can't be, and nothing is written.
    private mutating func append(quoting text: UnsafeRawBufferPointer, allowsNUL: Bool) -> Bool {
        let start = count
        reserve(text.count + 2)
        put(0x22)
        let index = appendPlain(of: text, from: 0)
        if index < text.count {
            guard appendRest(of: text, from: index, allowsNUL: allowsNUL) else {
                count = start
                return false
            }
            reserve(1)
        }
        put(0x22)
        return true
    }

    /// Writes the bytes at a place that stand as they are, which is most of most texts; returns where they end.
    ///
    /// There is room for them.
    @inline(__always)
    private mutating func appendPlain(of text: UnsafeRawBufferPointer, from index: Int) -> Int {
        guard let source = text.baseAddress else { return index }
        let plain = godwit_copy_plain(
            memory + count, source.assumingMemoryBound(to: UInt8.self) + index, text.count - index)
        count += plain
        return index + plain
    }

    /// Writes a text from a byte that needs an escape; false if a byte is not part of a character.
    @inline(never)
    private mutating func appendRest(of text: UnsafeRawBufferPointer, from start: Int, allowsNUL: Bool) -> Bool {
        var index = start
        while index < text.count {
            // A character of another script is followed by more of them: eight bytes, or to the end of a sequence.
            let stop = min(index + 8, text.count)
            while index < stop {
                let taken = appendCharacter(of: text, at: index, allowsNUL: allowsNUL)
                guard taken > 0 else { return false }
                index += taken
            }
            index = appendPlain(of: text, from: index)
        }
        return true
    }

    /// Writes the character at a place and returns how many bytes it has; 0 if there is none.
    @inline(__always)
    private mutating func appendCharacter(of text: UnsafeRawBufferPointer, at index: Int, allowsNUL: Bool) -> Int {
        let byte = text[index]
        if byte >= 0x80 {
            guard let length = text.sequenceLength(at: index, lead: byte) else { return 0 }
            for place in index..<index + length { put(text[place]) }
            return length
        }
        if byte >= 0x20, byte != 0x22, byte != 0x5C {
            put(byte)
            return 1
        }
        guard byte != 0 || allowsNUL else { return 0 }
        // Up to six bytes for one, and room for what follows.
        reserve(6 + text.count - index)
        put(escaped: byte)
        return 1
    }

    private mutating func put(escaped byte: UInt8) {
        put(0x5C)
        switch byte {
        case 0x22, 0x5C: put(byte)
        case 0x08: put(0x62)
        case 0x0C: put(0x66)
        case 0x0A: put(0x6E)
        case 0x0D: put(0x72)
        case 0x09: put(0x74)
        default:
            put(0x75)
            put(0x30)
            put(0x30)
            put(byte < 0x10 ? 0x30 : 0x31)
            let low = byte & 0x0F
            put(low < 10 ? 0x30 + low : 0x57 + low)
        }
    }
}
