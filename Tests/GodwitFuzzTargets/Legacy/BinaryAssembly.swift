/// Makes a binary property list from any bytes: takes them as objects, one after the other, and adds the table and the
/// trailer.
///
/// Nearly every change of a whole file breaks its trailer and is rejected at once; this way the objects are reached.
package enum BinaryAssembly {
    /// The bytes themselves if they are a binary property list, else one made from them.
    package static func file(_ bytes: [UInt8]) -> [UInt8] {
        guard !bytes.starts(with: "bplist".utf8), !bytes.isEmpty else { return bytes }
        var offsets: [Int] = []
        var place = 0
        while place < bytes.count, offsets.count < 256 {
            offsets.append(8 + place)
            place += length(of: bytes[place...])
        }
        var file = Array("bplist00".utf8) + bytes
        let table = file.count
        for offset in offsets { file += [UInt8(offset >> 8 & 0xFF), UInt8(offset & 0xFF)] }
        file += [0, 0, 0, 0, 0, 0, 2, 1]
        for number in [offsets.count, 0, table] {
            file += (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
        }
        return file
    }

    /// The length of the object that begins here, as far as its marker shows; never 0.
    private static func length(of bytes: ArraySlice<UInt8>) -> Int {
        let marker = bytes[bytes.startIndex]
        var count = Int(marker & 0x0F)
        var length = 1
        let units = [0x4: 1, 0x5: 1, 0x6: 2, 0xA: 1, 0xC: 1, 0xD: 2]
        switch marker >> 4 {
        case 0x1, 0x2: return 1 + 1 << min(count, 4)
        case 0x3: return 9
        case 0x8: return 2 + count
        case let kind:
            guard let unit = units[Int(kind)] else { return 1 }
            if count == 15, bytes.count >= 3, bytes[bytes.startIndex + 1] == 0x10 {
                count = Int(bytes[bytes.startIndex + 2])
                length = 3
            }
            return length + count * unit
        }
    }
}
