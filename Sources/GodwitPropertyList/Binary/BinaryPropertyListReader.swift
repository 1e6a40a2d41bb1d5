package import GodwitModel

/// Reads `bplist00` into values, strictly and within limits.
///
/// Every object is built once, children first, on a stack of the reader's own. So shared objects cost nothing, a bomb
/// of shared references is counted and rejected without being expanded, and depth cannot overflow the thread's stack.
package struct BinaryPropertyListReader {
    /// The size of an object with everything below it; a shared object counts for each reference.
    private struct Weight {
        var nodes = 1
        var content = 0
        var height = 0
    }

    /// An open container.
    private struct Frame {
        let number: Int
        let object: BinaryObject
        /// The keys, for a dictionary.
        let keys: [String]
        /// Number of children that are built.
        var next = 0
        var weight = Weight(nodes: 1, content: 0, height: 1)
    }

    private let table: BinaryPropertyListTable
    private let limits: LegacyLimits
    private var isOrdered = true
    private var built: [LegacyValue?]
    private var weights: [Weight]
    private var isOpen: [Bool]
    private var frames: [Frame] = []
    /// Whether the file has a value that Godwit cannot hold.
    private var hasUnheld = false
    /// References followed so far; never more than the expanded nodes, so their limit applies.
    private var followed = 0
    /// Bytes of the keys of the containers opened so far; the limit on content applies.
    private var keyBytes = 0

    /// The top-level value.
    ///
    /// Throws `data` with the offset, or with the key of a value that cannot be represented.
    package static func read(
        _ bytes: [UInt8], limits: LegacyLimits = .standard
    ) throws(GodwitError) -> LegacyValue {
        do throws(LegacyDamage) {
            return try LegacyDocument.parse(bytes, as: .binary, limits: limits).requireRepresentable()
        } catch {
            throw error.error(in: bytes, as: .binary)
        }
    }

    /// - Parameter isOrdered: false to sort the entries of each dictionary by the bytes of their keys.
    static func parse(
        _ bytes: [UInt8], limits: LegacyLimits, isOrdered: Bool = true
    ) throws(LegacyDamage) -> LegacyValue {
        var reader = Self(try BinaryPropertyListTable(bytes, limits: limits), limits: limits)
        reader.isOrdered = isOrdered
        return try reader.readTop()
    }

    private init(_ table: BinaryPropertyListTable, limits: LegacyLimits) {
        (self.table, self.limits) = (table, limits)
        built = Array(repeating: nil, count: table.offsets.count)
        weights = Array(repeating: Weight(), count: table.offsets.count)
        isOpen = Array(repeating: false, count: table.offsets.count)
    }

    private mutating func readTop() throws(LegacyDamage) -> LegacyValue {
        if let leaf = try visit(table.top) { return leaf }
        while let frame = frames.last {
            let children = frame.object.count
            guard frame.next < children else {
                let value = try close(frame)
                if frames.isEmpty { return value }
                continue
            }
            let firstValue = frame.object.kind == .dictionary ? children : 0
            let offset = frame.object.payload.lowerBound + (firstValue + frame.next) * table.referenceSize
            let child = table.reference(at: offset)
            guard try visit(child) != nil else { continue }
            try add(weights[child])
        }
        throw LegacyDamage("top object", at: nil)
    }

    /// The value of an object that is built or has no children; nil after opening a container.
    private mutating func visit(_ number: Int) throws(LegacyDamage) -> LegacyValue? {
        if let value = built[number] { return value }
        let object = try table.object(number)
        guard !isOpen[number] else { throw LegacyDamage("cycle", at: object.start) }
        guard object.kind == .array || object.kind == .dictionary else {
            let value = leaf(object)
            built[number] = value
            weights[number] = Weight(nodes: 1, content: Self.content(of: value), height: 0)
            return value
        }
        guard frames.count < limits.depth else {
            throw LegacyDamage("nested deeper than \(limits.depth)", at: object.start, kind: .limit)
        }
        followed += object.count
        try checkNodes(followed)
        isOpen[number] = true
        let before = keyBytes
        var frame = Frame(number: number, object: object, keys: try keys(of: object))
        frame.weight.content = keyBytes - before
        frames.append(frame)
        return nil
    }

    /// Closes the innermost container and counts it in the enclosing one.
    private mutating func close(_ frame: Frame) throws(LegacyDamage) -> LegacyValue {
        let firstValue = frame.object.kind == .dictionary ? frame.object.count : 0
        var children: [LegacyValue] = []
        children.reserveCapacity(frame.object.count)
        for index in firstValue..<(firstValue + frame.object.count) {
            let at = frame.object.payload.lowerBound + index * table.referenceSize
            guard let child = built[table.reference(at: at)] else { throw LegacyDamage("cycle", at: at) }
            children.append(child)
        }
        let value: LegacyValue
        if frame.object.kind == .array {
            value = .array(children)
        } else {
            let pairs = zip(frame.keys, children).map { LegacyPair(key: $0, value: $1) }
            value = .dictionary(isOrdered ? pairs : pairs.sortedByKey)
        }
        built[frame.number] = value
        isOpen[frame.number] = false
        weights[frame.number] = frame.weight
        frames.removeLast()
        if !frames.isEmpty { try add(frame.weight) }
        return value
    }

    /// Counts a finished child in the innermost container.
    private mutating func add(_ child: Weight) throws(LegacyDamage) {
        let level = frames.count - 1
        guard frames.count + child.height <= limits.depth else {
            throw LegacyDamage(
                "nested deeper than \(limits.depth)", at: frames[level].object.start, kind: .limit)
        }
        frames[level].next += 1
        frames[level].weight.nodes += child.nodes + (frames[level].object.kind == .dictionary ? 1 : 0)
        frames[level].weight.content += child.content
        frames[level].weight.height = max(frames[level].weight.height, child.height + 1)
        try checkNodes(frames[level].weight.nodes)
        try checkContent(frames[level].weight.content)
    }

    private func checkContent(_ content: Int) throws(LegacyDamage) {
        guard content <= limits.content else {
            throw LegacyDamage("expands past \(limits.content) bytes of text and data", at: nil, kind: .limit)
        }
    }

    private func checkNodes(_ nodes: Int) throws(LegacyDamage) {
        guard nodes <= limits.nodes else {
            throw LegacyDamage("expands past \(limits.nodes) values", at: nil, kind: .limit)
        }
    }

    private mutating func keys(of object: BinaryObject) throws(LegacyDamage) -> [String] {
        guard object.kind == .dictionary else { return [] }
        var keys: [String] = []
        var seen = ByteKeys()
        for index in 0..<object.count {
            let number = table.reference(at: object.payload.lowerBound + index * table.referenceSize)
            let keyObject = try table.object(number)
            guard keyObject.kind == .ascii || keyObject.kind == .utf16 else {
                throw LegacyDamage("dictionary key is not a string", at: keyObject.start)
            }
            let name = try visit(number)
            if case .unheld(let value)? = name { throw LegacyDamage(value.reason, at: value.offset) }
            guard case .string(let key)? = name else { continue }
            keyBytes += key.utf8.count
            try checkContent(keyBytes)
            guard seen.insert(key) else {
                throw LegacyDamage("duplicate key '\(key.escapedForMessage)'", at: object.start)
            }
            keys.append(key)
        }
        return keys
    }

    private static func content(of value: LegacyValue) -> Int {
        switch value {
        case .string(let text): text.utf8.count
        case .data(let bytes): bytes.count
        default: 0
        }
    }

    private mutating func leaf(_ object: BinaryObject) -> LegacyValue {
        do throws(BinaryLeaf.Fault) {
            return try BinaryLeaf.value(of: object, in: table.bytes)
        } catch {
            defer { hasUnheld = true }
            return .unheld(
                UnheldValue(
                    reason: error.reason, offset: object.start, keys: hasUnheld ? [] : openKeys(),
                    bytes: Array(table.bytes[object.start..<object.end])))
        }
    }

    /// The keys of the path to the value being read.
    private func openKeys() -> [String] {
        frames.compactMap { $0.next < $0.keys.count ? $0.keys[$0.next] : nil }
    }
}
