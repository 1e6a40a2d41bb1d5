/// Text as JSON strings: checked, escaped and copied in one pass, eight bytes at a time where they are plain.
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

    /// Text as a JSON string, or as `{"$text":"base64"}` where it is no valid UTF-8 or holds NUL.
    package mutating func append(text: UnsafeRawBufferPointer) {
        if !append(quoting: text, allowsNUL: false) { append(tagged: text) }
    }

    private mutating func append(tagged text: UnsafeRawBufferPointer) {
        append("{\"$text\":\"")
        append(base64: text)
        append("\"}")
    }

    /// Writes text between quotation marks; false where it can't be, and nothing is written.
    private mutating func append(quoting text: UnsafeRawBufferPointer, allowsNUL: Bool) -> Bool {
        let start = count
        reserve(text.count + 2)
        put(0x22)
        var index = 0
        let end = text.count
        if let source = text.baseAddress {
            while true {
                index = appendPlainWords(of: source, from: index, to: end)
                guard index < end else { break }
                // The rest as the end of a word. What comes before in it is plain as well, and so stands there already.
                if end >= 8, end - index < 8 {
                    let word = source.loadUnaligned(fromByteOffset: end - 8, as: UInt64.self)
                    if !JSONBuffer.needsLook(word) {
                        count += end - index
                        UnsafeMutableRawPointer(memory + count - 8).storeBytes(of: word, as: UInt64.self)
                        break
                    }
                }
                // At most eight bytes, or to the end of a sequence.
                let stop = min(index + 8, end)
                while index < stop {
                    let taken = appendCharacter(of: text, at: index, allowsNUL: allowsNUL)
                    guard taken > 0 else {
                        count = start
                        return false
                    }
                    index += taken
                }
            }
        }
        reserve(1)
        put(0x22)
        return true
    }

    /// Writes the words of eight plain bytes that stand at a place: what most of most texts is; returns where they end.
    ///
    /// There is room for them. The place is in a variable of its own, since one in the buffer would be written back and read
    /// anew at each word.
    @inline(__always)
    private mutating func appendPlainWords(of source: UnsafeRawPointer, from start: Int, to end: Int) -> Int {
        let target = UnsafeMutableRawPointer(memory + count)
        var index = start
        while end &- index >= 8 {
            let word = source.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            guard !JSONBuffer.needsLook(word) else { break }
            target.storeBytes(of: word, toByteOffset: index &- start, as: UInt64.self)
            index &+= 8
        }
        count &+= index &- start
        return index
    }

    /// Writes the character at a place and returns how many bytes it has; 0 where there is none.
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

    /// Whether any of eight bytes is beyond ASCII, below the space, a quotation mark or a backslash.
    ///
    /// Source: "Bit Twiddling Hacks", <https://graphics.stanford.edu/~seander/bithacks.html#HasLessInWord>.
    @inline(__always)
    private static func needsLook(_ word: UInt64) -> Bool {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let quote = word ^ (ones &* 0x22)
        let backslash = word ^ (ones &* 0x5C)
        let found = word | (word &- ones &* 0x20) | (quote &- ones) | (backslash &- ones)
        // Without a byte beyond ASCII no term borrows from a neighbour unless it has itself found something.
        return found & (ones &* 0x80) != 0
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
