internal import GodwitModel

/// Edits a binary property list by objects.
///
/// Only the root dictionary is written again, at the same index; a missing boolean or key is added after the last
/// object. Everything else keeps its bytes and its order; only the offset table and the trailer are computed again. An
/// existing boolean object is never changed, because other keys may share it. If references must grow by a byte (256
/// objects, 65,536 objects), all arrays and dictionaries are written again with larger references to the same objects.
struct BinaryEdit {
    private let table: BinaryPropertyListTable
    /// Bytes of a reference in the edited file.
    private var referenceSize: Int
    /// Encoded objects after the existing ones.
    private var added: [[UInt8]] = []

    static func setting(
        _ key: String, to flag: Bool, in bytes: [UInt8], limits: LegacyLimits
    ) throws(LegacyDamage) -> [UInt8] {
        var edit = Self(try BinaryPropertyListTable(bytes, limits: limits))
        let (keys, values) = try edit.rootReferences(setting: key, to: flag)
        return try edit.assemble(keys: keys, values: values)
    }

    private init(_ table: BinaryPropertyListTable) {
        self.table = table
        referenceSize = table.referenceSize
    }

    /// The root's references after the edit; adds new objects if needed.
    private mutating func rootReferences(
        setting key: String, to flag: Bool
    ) throws(LegacyDamage) -> (keys: [Int], values: [Int]) {
        let root = try table.object(table.top)
        var keys = references(in: root, from: 0, count: root.count)
        var values = references(in: root, from: root.count, count: root.count)
        let boolean = existingBoolean(flag) ?? add([flag ? 0x09 : 0x08])
        for (index, number) in keys.enumerated() where try isString(key, number) {
            values[index] = boolean
            return (keys, values)
        }
        keys.append(add(Self.string(key)))
        values.append(boolean)
        return (keys, values)
    }

    private mutating func add(_ object: [UInt8]) -> Int {
        added.append(object)
        return table.offsets.count + added.count - 1
    }

    private func references(in object: BinaryObject, from first: Int, count: Int) -> [Int] {
        (first..<(first + count)).map {
            table.reference(at: object.payload.lowerBound + $0 * table.referenceSize)
        }
    }

    private func existingBoolean(_ flag: Bool) -> Int? {
        table.offsets.firstIndex { table.bytes[$0] == (flag ? 0x09 : 0x08) }
    }

    private func isString(_ key: String, _ number: Int) throws(LegacyDamage) -> Bool {
        let object = try table.object(number)
        guard case .string(let text) = try? BinaryLeaf.value(of: object, in: table.bytes) else { return false }
        return text.utf8.elementsEqual(key.utf8)
    }

    /// Assembles header, objects with the new root and larger containers, table and trailer.
    private mutating func assemble(keys: [Int], values: [Int]) throws(LegacyDamage) -> [UInt8] {
        let count = table.offsets.count + added.count
        referenceSize = Self.size(for: count, atLeast: referenceSize)
        let root = table.offsets[table.top]
        var output = Array(table.bytes[..<BinaryPropertyListTable.headerSize])
        var moved: [Int: Int] = [:]
        var copied = BinaryPropertyListTable.headerSize
        var last = -1
        for offset in table.sortedOffsets() where offset != last {
            last = offset
            // Bytes between two objects belong to neither and stay.
            output += table.bytes[copied..<offset]
            moved[offset] = output.count
            let object = try table.object(at: offset)
            if offset == root {
                output += container(0xD0, count: keys.count, keys + values)
            } else if referenceSize != table.referenceSize, object.kind == .array || object.kind == .dictionary {
                let isArray = object.kind == .array
                let total = isArray ? object.count : 2 * object.count
                output += container(
                    isArray ? 0xA0 : 0xD0, count: object.count, references(in: object, from: 0, count: total))
            } else {
                output += table.bytes[object.start..<object.end]
            }
            copied = object.end
        }
        output += table.bytes[copied..<table.tableStart]
        var offsets = table.offsets.map { moved[$0] ?? 0 }
        for object in added {
            offsets.append(output.count)
            output += object
        }
        return output + tableAndTrailer(offsets, at: output.count)
    }

    private func tableAndTrailer(_ offsets: [Int], at tableStart: Int) -> [UInt8] {
        let offsetSize = Self.size(for: tableStart, atLeast: table.offsetSize)
        var output: [UInt8] = []
        output.reserveCapacity(offsets.count * offsetSize + BinaryPropertyListTable.trailerSize)
        for offset in offsets { output += Self.bigEndian(offset, size: offsetSize) }
        let trailer = table.bytes.count - BinaryPropertyListTable.trailerSize
        output += table.bytes[trailer..<(trailer + 6)]
        output += [UInt8(offsetSize), UInt8(referenceSize)]
        for number in [offsets.count, table.top, tableStart] { output += Self.bigEndian(number, size: 8) }
        return output
    }

    private func container(_ marker: UInt8, count: Int, _ references: [Int]) -> [UInt8] {
        var object = Self.header(marker, count: count)
        object.reserveCapacity(object.count + references.count * referenceSize)
        for reference in references { object += Self.bigEndian(reference, size: referenceSize) }
        return object
    }

    /// A marker with its count, in the marker or after it.
    private static func header(_ marker: UInt8, count: Int) -> [UInt8] {
        guard count >= 15 else { return [marker | UInt8(count)] }
        let exponent = count < 1 << 8 ? 0 : count < 1 << 16 ? 1 : UInt64(count) < 1 << 32 ? 2 : 3
        return [marker | 0x0F, 0x10 | UInt8(exponent)] + bigEndian(count, size: 1 << exponent)
    }

    /// A string object: ASCII if possible, otherwise UTF-16.
    private static func string(_ text: String) -> [UInt8] {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return header(0x50, count: text.utf8.count) + Array(text.utf8) }
        return header(0x60, count: text.utf16.count) + text.utf16.flatMap { bigEndian(Int($0), size: 2) }
    }

    /// The present size if it is large enough; otherwise 2, 4 or 8 bytes, as CoreFoundation writes them.
    private static func size(for number: Int, atLeast present: Int) -> Int {
        [present, 2, 4].first { $0 >= present && BinaryPropertyListTable.fits(UInt64(number), $0) } ?? 8
    }

    static func bigEndian(_ number: Int, size: Int) -> [UInt8] {
        (0..<size).reversed().map { $0 < 8 ? UInt8(truncatingIfNeeded: number >> ($0 * 8)) : 0 }
    }
}
