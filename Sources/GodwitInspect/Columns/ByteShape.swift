/// Recognizes what bytes contain by their first bytes and their form, without parsing.
enum ByteShape {
    /// 8-4-4-4-12 hexadecimal digits: RFC 9562.
    static func isUUID(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard bytes.count == 36 else { return false }
        return bytes.indices.allSatisfy { index in
            let byte = bytes[index]
            if [8, 13, 18, 23].contains(index) { return byte == UInt8(ascii: "-") }
            return (0x30...0x39).contains(byte) || (0x41...0x46).contains(byte & 0xDF)
        }
    }

    /// 16 bytes with the version and variant of RFC 9562.
    static func isUUIDBytes(_ bytes: UnsafeRawBufferPointer) -> Bool {
        bytes.count == 16 && (1...8).contains(bytes[6] >> 4) && bytes[8] >> 6 == 0b10
    }

    /// 2, the UUID that is a file's name, and NUL: Core Data's reference to data that it keeps in a file.
    static func isExternalReference(_ bytes: UnsafeRawBufferPointer) -> Bool {
        bytes.count == 38 && bytes[0] == 2 && bytes[37] == 0
            && isUUID(UnsafeRawBufferPointer(rebasing: bytes[1..<37]))
    }

    /// 1 and the first bytes of a picture, a document or a property list: data that Core Data may keep in a file, but
    /// that was small enough for the row.
    static func isMarkedFile(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard bytes.first == 1 else { return false }
        let rest = bytes.dropFirst()
        if rest.dropFirst(4).starts(with: "ftyp".utf8) { return true }
        return fileBeginnings.contains { rest.starts(with: $0) }
    }

    /// PNG, JPEG, GIF, TIFF, RIFF (WebP, WAV), PDF, ZIP, gzip, and property lists.
    private static let fileBeginnings: [[UInt8]] = [
        [0x89, 0x50, 0x4E, 0x47], [0xFF, 0xD8, 0xFF], Array("GIF8".utf8), [0x49, 0x49, 0x2A, 0], [0x4D, 0x4D, 0, 0x2A],
        Array("RIFF".utf8), Array("%PDF-".utf8), [0x50, 0x4B, 3, 4], [0x1F, 0x8B, 8], Array("bplist0".utf8),
    ]

    /// A brace or bracket at the start, and the matching one at the end.
    static func isDocument(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let first = bytes.first, first == UInt8(ascii: "{") || first == UInt8(ascii: "["),
            let last = bytes.last(where: { $0 > 0x20 }), bytes.count > 1
        else { return false }
        return last == (first == UInt8(ascii: "{") ? UInt8(ascii: "}") : UInt8(ascii: "]"))
    }

    /// A binary or XML property list, by its first bytes.
    static func isPropertyList(_ bytes: UnsafeRawBufferPointer) -> Bool {
        bytes.starts(with: "bplist0".utf8) || bytes.starts(with: "<?xml".utf8)
            || bytes.starts(with: "<!DOCTYPE plist".utf8)
    }

    /// A property list with the name of a keyed archiver in its first megabyte.
    static func isArchive(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let name = Array("$archiver".utf8)
        var rest = bytes[..<min(bytes.count, 1 << 20)]
        while let start = rest.firstIndex(of: name[0]) {
            rest = rest[start...]
            if rest.starts(with: name) { return true }
            rest = rest.dropFirst()
        }
        return false
    }
}
