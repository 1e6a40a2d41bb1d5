package import GodwitModel
internal import Libc
internal import Crypto

/// SHA-256 as lower-case hex.
package func sha256Hex(_ bytes: [UInt8]) -> String {
    hexText(sha256(bytes))
}

package func sha256(_ bytes: [UInt8]) -> [UInt8] { Array(SHA256.hash(data: bytes)) }

/// Bytes as lower-case hex.
package func hexText(_ bytes: some Sequence<UInt8>) -> String {
    var text: [UInt8] = []
    for byte in bytes {
        for nibble in [byte >> 4, byte & 0x0F] { text.append(nibble < 10 ? 0x30 + nibble : 0x57 + nibble) }
    }
    return String(decoding: text, as: UTF8.self)
}

extension GodwitError {
    /// The error for a file that is larger than any valid file of its kind.
    package static func tooLarge(_ path: String, size: Int64, limit: Int, stage: GodwitError.Stage) -> GodwitError {
        GodwitError(
            stage, .data, "`\(path)` has \(size.grouped) bytes; the limit is \(limit.grouped)",
            hint: "Check that this is the right file.")
    }
}

/// Reads a small regular file completely; throws 65 if it exceeds the limit, 66 if it is missing or not a regular file.
package func readBytes(_ path: String, limit: Int, stage: GodwitError.Stage) throws(GodwitError) -> [UInt8] {
    let file = try OpenFile(reading: path, stage: stage)
    let status = try file.status()
    guard status.isRegularFile else {
        throw GodwitError(stage, .noInput, "`\(path)` is not a regular file", hint: "Name a file.")
    }
    guard status.size <= Int64(limit) else {
        throw .tooLarge(path, size: status.size, limit: limit, stage: stage)
    }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while bytes.count <= limit {
        let count = retryingInterrupts { read(file.descriptor, &buffer, buffer.count) }
        if count == 0 { return bytes }
        guard count > 0 else { throw .system("read", path, errno: errno, stage: stage) }
        bytes.append(contentsOf: buffer[..<count])
    }
    throw GodwitError(stage, .data, "`\(path)` exceeded the limit of \(limit.grouped) bytes while it was read")
}
