internal import GodwitModel

/// A value outside of the records: a header member, an entity's description, or the integrity block.
enum DocumentNode {
    case null
    case bool(Bool)
    case integer(Int64)
    case real
    case text(String)
    case list([DocumentNode])
    case object([Member])

    struct Member {
        let name: String
        let value: DocumentNode
    }

    var text: String? { if case .text(let text) = self { text } else { nil } }
    var integer: Int64? { if case .integer(let number) = self { number } else { nil } }
    var elements: [DocumentNode]? { if case .list(let elements) = self { elements } else { nil } }
    var members: [Member]? { if case .object(let members) = self { members } else { nil } }
    var isNull: Bool { if case .null = self { true } else { false } }

    /// Compares names by bytes.
    subscript(_ name: String) -> DocumentNode? { members?.first { $0.name.utf8.elementsEqual(name.utf8) }?.value }
}

extension ReadingWindow {
    mutating func string() throws(GodwitError) -> String {
        let span = try text()
        let bytes = UnsafeRawBufferPointer(start: unitBytes + span.start, count: span.count)
        guard span.hasEscapes else { return String(decoding: bytes, as: UTF8.self) }
        var scratch = ByteScratch()
        guard scratch.append(unescaping: bytes) else {
            throw damage("there is an escape that stands for no text", at: span.start)
        }
        return String(decoding: UnsafeRawBufferPointer(start: scratch.bytes, count: scratch.count), as: UTF8.self)
    }

    /// A value with everything inside; without recursion, so a limit bounds the depth and not the stack.
    mutating func node() throws(GodwitError) -> DocumentNode {
        var open: [OpenNode] = []
        while true {
            try skipBlanks()
            var value = try openOrRead(&open)
            // A complete value may complete the values around it.
            while let finished = value {
                guard var last = open.popLast() else { return finished }
                last.add(finished)
                try skipBlanks()
                if try takes(",") {
                    try skipBlanks()
                    if last.isObject { try last.readName(&self) }
                    open.append(last)
                    value = nil
                } else {
                    try take(last.isObject ? "}" : "]")
                    value = last.node
                }
            }
        }
    }

    /// Reads a scalar or an empty container; for any other container, opens it and returns nil.
    private mutating func openOrRead(_ open: inout [OpenNode]) throws(GodwitError) -> DocumentNode? {
        switch try peek() {
        case 0x7B?, 0x5B?:
            let isObject = try peek() == 0x7B
            advance()
            try skipBlanks()
            if try takes(isObject ? "}" : "]") { return isObject ? .object([]) : .list([]) }
            guard open.count < limits.depth else { throw damage("it is nested more than \(limits.depth) deep") }
            var node = OpenNode(isObject: isObject)
            if isObject { try node.readName(&self) }
            open.append(node)
            return nil
        case 0x22?: return .text(try string())
        case 0x74?:
            try take(word: "true")
            return .bool(true)
        case 0x66?:
            try take(word: "false")
            return .bool(false)
        case 0x6E?:
            try take(word: "null")
            return .null
        case 0x2D?, 0x30?, 0x31?, 0x32?, 0x33?, 0x34?, 0x35?, 0x36?, 0x37?, 0x38?, 0x39?:
            return try number().integer.map(DocumentNode.integer) ?? .real
        default: throw unexpected("a value")
        }
    }
}

private struct OpenNode {
    let isObject: Bool
    private var elements: [DocumentNode] = []
    private var members: [DocumentNode.Member] = []
    private var names: Set<[UInt8]> = []
    private var name = ""

    init(isObject: Bool) { self.isObject = isObject }

    var node: DocumentNode { isObject ? .object(members) : .list(elements) }

    mutating func add(_ value: DocumentNode) {
        if isObject { members.append(.init(name: name, value: value)) } else { elements.append(value) }
    }

    /// Reads the next member's name, up to its value.
    mutating func readName(_ window: inout ReadingWindow) throws(GodwitError) {
        let place = window.place
        name = try window.string()
        guard names.insert(Array(name.utf8)).inserted else { throw window.damage("a member is there twice", at: place) }
        try window.skipBlanks()
        try window.take(":")
    }
}
