internal import GodwitFiles
internal import GodwitModel
internal import Libc

/// Reads a file of any length line by line; a line has 64 MiB at most.
struct LineReader: ~Copyable {
    /// A line without its newline.
    struct Line {
        var bytes: ArraySlice<UInt8>
        /// Whether it ends with a newline.
        var isWhole: Bool
    }

    static let maxLineBytes = 64 << 20

    private let file: OpenFile
    private let separator: UInt8
    private var pending: [UInt8] = []
    private var start = 0
    private var isAtEnd = false

    init(file: consuming OpenFile, separator: UInt8 = 0x0A) {
        self.file = file
        self.separator = separator
    }

    /// Size, times and identity of the file.
    func status() throws(GodwitError) -> FileStatus { try file.status() }

    /// The next line; nil at the end; throws (65) for a line over the limit.
    mutating func next() throws(GodwitError) -> Line? {
        var searched = start
        while true {
            if let end = pending[searched...].firstIndex(of: separator) {
                defer { start = end + 1 }
                return Line(bytes: pending[start..<end], isWhole: true)
            }
            searched = pending.count
            if isAtEnd {
                defer { start = pending.count }
                return start < pending.count ? Line(bytes: pending[start...], isWhole: false) : nil
            }
            guard pending.count - start <= Self.maxLineBytes else {
                throw GodwitError(
                    .fleet, .data, "`\(file.path)` has a line of more than \(Self.maxLineBytes) bytes",
                    hint: "Check that this is the right file.")
            }
            searched -= start
            try fill()
        }
    }

    private mutating func fill() throws(GodwitError) {
        pending.removeSubrange(..<start)
        start = 0
        let room = 1 << 16
        let before = pending.count
        pending.append(contentsOf: repeatElement(0, count: room))
        let count = pending.withUnsafeMutableBytes { buffer in
            retryingInterrupts { read(file.descriptor, buffer.baseAddress.map { $0 + before }, room) }
        }
        let failure = errno
        pending.removeLast(room - max(0, count))
        guard count >= 0 else { throw .system("read", file.path, errno: failure, stage: .fleet) }
        isAtEnd = count == 0
    }
}
