import GodwitFiles
import GodwitModel
import Foundation
import GodwitExport
import GodwitTestSupport
import Testing

/// A finished document is read back in parts, and every byte that differs from what was written is found.
struct WrittenProofTests {
    static let forms = [
        ExportForm.plain, ExportForm(layout: .lines), ExportForm(gzipLevel: 6),
        ExportForm(layout: .lines, gzipLevel: 1),
        ExportForm(gzipLevel: 9),
    ]
    private static let block: Int64 = 1 << 17

    /// About this many bytes of JSON.
    private static func fixture(_ bytes: Int) throws -> ExportFixture {
        try ExportFixture.items(
            """
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(bytes / 150))
            INSERT INTO Item SELECT i, hex(i * 7919 % 1009) || ' ' || printf('%0100d', i * i), i FROM n
            """)
    }

    private static func bytes(_ finished: borrowing ExportStage.Finished) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(filePath: finished.file.temporaryPath)))
    }

    /// Overwrites bytes of a document's file at an offset.
    private static func overwrite(
        _ finished: borrowing ExportStage.Finished, _ bytes: [UInt8], at offset: Int
    ) throws {
        let handle = try FileHandle(forUpdating: URL(filePath: finished.file.temporaryPath))
        try handle.seek(toOffset: UInt64(offset))
        try handle.write(contentsOf: Data(bytes))
        try handle.close()
    }

    private static func isRefused(_ finished: borrowing ExportStage.Finished, threads: Int = 2) -> Bool {
        let error = failure { try finished.proof.require(finished.file, .sample(), threads: threads) }
        if let error, error.code != .io || !error.message.contains("does not read back") {
            Issue.record("\(error)")
        }
        return error != nil
    }

    /// The macro accepts no noncopyable value.
    private static func expect(
        _ finished: borrowing ExportStage.Finished, isRefused expected: Bool, threads: Int = 2,
        at location: SourceLocation = #_sourceLocation
    ) {
        let found = isRefused(finished, threads: threads)
        #expect(found == expected, sourceLocation: location)
    }

    @Test("a document is read back in as many parts as it has units", arguments: forms)
    func parts(form: ExportForm) throws {
        let fixture = try Self.fixture(1_500_000)
        for (unit, limit) in [(Self.block, 64), (Self.block, 3), (2 * Self.block, 64), (1 << 22, 64)] {
            let finished = try fixture.write(as: form, spacing: NoteSpacing(unit: unit, limit: limit))
            let size = Int64(1_400_000)
            #expect(finished.proof.partCount <= limit + 1)
            if limit == 64 { #expect(finished.proof.partCount >= size / unit) }
            for threads in [1, 2, 7] {
                Self.expect(finished, isRefused: false, threads: threads)
            }
        }
    }

    @Test("reading back does not change a document's bytes", arguments: forms)
    func sameBytes(form: ExportForm) throws {
        let fixture = try Self.fixture(600_000)
        let usual = try Self.bytes(fixture.write(as: form))
        let often = try Self.bytes(
            fixture.write(to: "o.json", as: form, spacing: NoteSpacing(unit: Self.block, limit: 9)))
        #expect(usual == often)
    }

    @Test("one changed byte is found at any offset", arguments: forms)
    func changedByte(form: ExportForm) throws {
        let fixture = try Self.fixture(700_000)
        let finished = try fixture.write(as: form, spacing: NoteSpacing(unit: Self.block, limit: 64))
        let bytes = try Self.bytes(finished)
        var random = SeededGenerator(seed: 5)
        var offsets = (0..<GeneratedCases.count(100, few: 20)).map { _ in Int.random(in: bytes.indices, using: &random)
        }
        // The text around the records, and the boundaries between the parts.
        offsets += (0..<GeneratedCases.count(40, few: 10)).flatMap { [$0 * 37, bytes.count - 1 - $0 * 5] }
        offsets += (1...4).flatMap { [Int(Self.block) * $0 - 1, Int(Self.block) * $0] }
        offsets = offsets.filter(bytes.indices.contains)
        for offset in offsets {
            try Self.overwrite(finished, [bytes[offset] ^ (1 << UInt8(offset % 8))], at: offset)
            if !Self.isRefused(finished) { Issue.record("byte \(offset) of \(bytes.count)") }
            try Self.overwrite(finished, [bytes[offset]], at: offset)
        }
        Self.expect(finished, isRefused: false)
    }

    @Test("two exchanged parts are found", arguments: [ExportForm.plain, ExportForm(layout: .lines)])
    func exchanged(form: ExportForm) throws {
        let fixture = try Self.fixture(900_000)
        let finished = try fixture.write(as: form, spacing: NoteSpacing(unit: Self.block))
        let bytes = try Self.bytes(finished)
        let size = Int(Self.block)
        let (one, other) = (bytes[size * 2..<size * 3], bytes[size * 3..<size * 4])
        try Self.overwrite(finished, Array(other) + Array(one), at: size * 2)
        Self.expect(finished, isRefused: true)
    }

    @Test("a document that is shorter or longer than it was written is found", arguments: forms)
    func otherSize(form: ExportForm) throws {
        let fixture = try Self.fixture(400_000)
        let finished = try fixture.write(as: form, spacing: NoteSpacing(unit: Self.block))
        let bytes = try Self.bytes(finished)
        try Self.overwrite(finished, [0x20], at: bytes.count)
        Self.expect(finished, isRefused: true)
        for count in [bytes.count - 1, bytes.count / 2, 0] {
            try FileHandle(forUpdating: URL(filePath: finished.file.temporaryPath)).truncate(atOffset: UInt64(count))
            Self.expect(finished, isRefused: true)
        }
    }

    @Test("a cancelled run stops reading back")
    func cancelled() throws {
        let fixture = try Self.fixture(400_000)
        let finished = try fixture.write(spacing: NoteSpacing(unit: Self.block))
        let cancellation = Cancellation()
        let context = RunContext.sample(cancellation: cancellation)
        cancellation.cancel()
        #expect(failure { try finished.proof.require(finished.file, context) }?.code == .interrupted)
    }

    @Test("an export of a store without records has one part", arguments: forms)
    func empty(form: ExportForm) throws {
        let fixture = try ExportFixture.items("")
        let finished = try fixture.write(as: form)
        #expect(finished.proof.partCount == 1)
        Self.expect(finished, isRefused: false)
    }
}
