import GodwitFiles
import GodwitModel
import Foundation
import GodwitExport
import GodwitTestSupport

/// Content that the writer packs, and the project's reader and common tools unpack.
struct PackedFile {
    var level = 6
    var cores = 1
    /// The sizes of the pieces in which the content is written, repeated; empty for one piece.
    var cuts: [Int] = []
    /// The position of the hole, and the bytes that fill it.
    var hole: (offset: Int, filling: [UInt8])?
    var startThread: WorkerThread.Start = { WorkerThread($0) }

    /// The size of the writer's blocks, in bytes.
    static let block = 1 << 17

    /// Packs content without the bytes of the hole.
    func pack(_ content: [UInt8]) throws -> [UInt8] {
        let folder = try TemporaryFolder()
        let file = try AtomicFile(target: folder["packed"], identifier: UUID().uuidString, stage: .export)
        var writer = try GzipWriter(level: level, cores: cores, startThread: startThread)
        let offset = hole?.offset ?? content.count
        try write(content[..<offset], with: &writer, to: file)
        if let hole { try writer.writeHole(hole.filling.count, to: file) }
        try write(content[offset...], with: &writer, to: file)
        try writer.finish(filling: hole?.filling ?? [], in: file)
        try file.commit(replacing: false)
        return try folder.bytes(of: "packed")
    }

    private func write(
        _ content: ArraySlice<UInt8>, with writer: inout GzipWriter, to file: borrowing AtomicFile
    ) throws {
        var (rest, cut) = (content, 0)
        while !rest.isEmpty {
            let piece = cuts.isEmpty ? rest : rest.prefix(cuts[cut % cuts.count])
            try piece.withUnsafeBytes { try writer.write($0, to: file) }
            rest = rest.dropFirst(piece.count)
            cut += 1
        }
    }

    /// The content with its hole filled.
    func whole(_ content: [UInt8]) -> [UInt8] {
        guard let hole else { return content }
        return Array(content[..<hole.offset]) + hole.filling + Array(content[hole.offset...])
    }

    static func unpack(_ packed: [UInt8]) throws -> [UInt8] {
        let input = ExportInput(bytes: packed)
        var inflater = try Inflater(beginning: [], name: "packed", stage: .export)
        var unpacked: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = try buffer.withUnsafeMutableBytes { try inflater.read(from: input, into: $0) }
            if count == 0 { return unpacked }
            unpacked += buffer[..<count]
        }
    }

    // MARK: Content

    /// Fixed bytes that can't be compressed.
    static func noise(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
        var state = seed &* 0x9E37_79B9_7F4A_7C15
        let words = (0..<(count / 8 + 1)).map { _ in
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return state
        }
        return words.withUnsafeBytes { Array($0.prefix(count)) }
    }

    /// Text that looks like records, all different.
    static func records(_ count: Int) -> [UInt8] { Array(text.prefix(count)) }

    /// 8 MiB, made once for all tests.
    private static let text: [UInt8] = {
        var text: [UInt8] = []
        text.reserveCapacity((8 << 20) + 200)
        let digits = noise(1 << 12)
        var number = 0
        while text.count < 8 << 20 {
            let (one, other) = (digits[number % digits.count], digits[(number * 7) % digits.count])
            text += "\n    {\"id\":\"\(number)\",\"name\":\"text \(one)\",\"weight\":\(other).5,\"note\":null},".utf8
            number += 1
        }
        return text
    }()
}
