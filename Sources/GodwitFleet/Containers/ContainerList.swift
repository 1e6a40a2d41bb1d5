internal import GodwitFiles
package import GodwitModel
internal import Libc

/// The rows of a list of containers: one for each line, or one before each NUL if the text has a NUL.
///
/// There is no syntax: a row is a path, byte for byte. Empty rows are skipped. The list is read once, from start to
/// end, because a pipe cannot be read twice.
package struct ContainerList: Sendable {
    /// Largest size of a list in bytes.
    package static let longest = 256 << 20
    /// Largest number of rows.
    package static let most = 10_000_000

    /// The rows that are text, in order.
    package private(set) var paths: [String] = []
    /// The rows that are not UTF-8, with each wrong byte as `\xFF`.
    package private(set) var wrong: [String] = []

    /// First bytes of files that are given as a list by mistake: stores, property lists, JSON.
    private static let signatures = ["SQLite format 3\0", "bplist", "<?xml", "{"].map { Array($0.utf8) }

    /// Bytes at the start that are checked for control characters, which programs and pictures have.
    private static let checkedBytes = 1 << 16

    private static func isControl(_ byte: UInt8) -> Bool {
        (byte < 0x20 && ![0, 0x09, 0x0A, 0x0D].contains(byte)) || byte == 0x7F
    }

    /// Whether a line begins with the first key of every manifest.
    private static func isManifest(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.split(separator: 0x0A).contains { $0.starts(with: "godwit:".utf8) }
    }

    /// Splits a list into rows; throws 65 if it has too many rows or is not a list, so that contents of a store are
    /// never shown as names.
    package init(_ bytes: [UInt8], in name: String) throws(GodwitError) {
        guard !Self.signatures.contains(where: bytes.starts), !Self.isManifest(bytes.prefix(Self.checkedBytes)),
            !bytes.prefix(Self.checkedBytes).contains(where: Self.isControl)
        else {
            throw GodwitError(
                .fleet, .data, "`\(name)` is not a list of containers",
                hint:
                    "Write the path of a container on each line, or between NULs; for a folder whose name "
                    + "has control characters, name its parent folder.")
        }
        let isLines = !bytes.contains(0)
        // Some programs write a byte order mark; it is never part of a name.
        let start = isLines && bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        for row in bytes[start...].split(separator: isLines ? 0x0A : 0) {
            let row = isLines && row.last == 0x0D ? row.dropLast() : row
            // A line of only spaces is not a name. Around a name, and between NULs, spaces may belong to it.
            guard !row.allSatisfy({ isLines && ($0 == 0x20 || $0 == 0x09) }) else { continue }
            if let path = String(validating: row, as: UTF8.self) {
                paths.append(path)
            } else {
                wrong.append(PathText.escaped(row))
            }
            guard paths.count + wrong.count <= Self.most else {
                throw GodwitError(
                    .fleet, .data, "`\(name)` has more than \(Self.most.grouped) rows",
                    hint: "Split it into several lists."
                )
            }
        }
    }

    /// Reads a file, a FIFO, or standard input (nil).
    init(reading path: String?, cancellation: Cancellation) throws(GodwitError) {
        guard let path else {
            let name = "standard input"
            try self.init(Self.bytes(of: STDIN_FILENO, name, cancellation), in: name)
            return
        }
        let file = try OpenFile(reading: path, stage: .fleet)
        try self.init(Self.bytes(of: file.descriptor, path, cancellation), in: path)
    }

    /// Waits for the writer of a pipe until a stop is requested.
    private static func bytes(
        of descriptor: Int32, _ name: String, _ cancellation: Cancellation
    ) throws(GodwitError) -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            try cancellation.check(.fleet)
            var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let ready = poll(&waiting, 1, 100)
            guard ready > 0 else {
                if ready == 0 || errno == EINTR { continue }
                throw .system("read", name, errno: errno, stage: .fleet)
            }
            let count = read(descriptor, &buffer, buffer.count)
            if count == 0 { return bytes }
            guard count > 0 else {
                if errno == EINTR || errno == EAGAIN { continue }
                throw .system("read", name, errno: errno, stage: .fleet)
            }
            bytes.append(contentsOf: buffer[..<count])
            guard bytes.count <= longest else {
                throw GodwitError(
                    .fleet, .data, "`\(name)` has more than \(longest.grouped) bytes",
                    hint: "Check that this is the right list, and split it if it is.")
            }
        }
    }
}
