import GodwitFiles
import GodwitModel
import Libc
import Synchronization

/// A folder of its own below `TMPDIR`, in which one set of files is laid out; gone when its owner goes.
///
/// `Scripts/fuzz` points `TMPDIR` at memory.
struct StoreBench: ~Copyable {
    private static let made = Atomic<Int>(0)

    /// Unique among the benches of all processes; its first eight characters among those of this one.
    let identifier: String
    private let folder: String
    /// The store; its log and journal lie beside it.
    let store: String
    /// A folder beside it that drafts are written to; not there at first.
    let drafts: String
    /// A file that a journal may name.
    private let named: String

    init() throws(FuzzFinding) {
        let number = String(Self.made.wrappingAdd(1, ordering: .relaxed).newValue, radix: 16)
        identifier = String(repeating: "0", count: max(0, 8 - number.count)) + number + "-fuzz-\(getpid())"
        folder = Self.temporary + "/godwit-fuzz-" + identifier
        store = folder + "/fuzz.store"
        drafts = folder + "-draft"
        named = folder + "/somebody's only copy"
        do throws(GodwitError) {
            try PathText.makeDirectories(folder)
        } catch {
            throw FuzzFinding("no folder to work in: \(error.description)")
        }
    }

    deinit {
        for name in PathText.names(in: folder) { unlink(folder + "/" + name) }
        rmdir(folder)
        for place in [drafts + "/Migrations", drafts] {
            for name in PathText.names(in: place) { unlink(place + "/" + name) }
            rmdir(place)
        }
    }

    private static var temporary: String { getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp" }

    /// Lays out the files of a set.
    func write(_ input: StoreSetInput) throws(FuzzFinding) {
        var journal = input.journal
        if input.namesFile {
            journal? += StoreSetInput.journalEnd(naming: named)
            try Self.write([0x61, 0x62, 0x63], to: named)
        }
        for (suffix, bytes) in [("", input.store), ("-wal", input.log), ("-journal", journal)] {
            if let bytes { try Self.write(bytes, to: store + suffix) }
        }
    }

    private static func write(_ bytes: [UInt8], to path: String) throws(FuzzFinding) {
        do throws(GodwitError) {
            let file = try OpenFile(creating: path)
            try file.write(bytes)
        } catch {
            throw FuzzFinding("the input can't be laid out: \(error.description)")
        }
    }

    /// What a file must keep.
    struct File: Equatable {
        let bytes: [UInt8]
        let status: FileStatus
    }

    /// All that lies in the folder, by name.
    func files() throws(FuzzFinding) -> [String: File] {
        var files: [String: File] = [:]
        for name in PathText.names(in: folder) {
            do throws(GodwitError) {
                guard let status = try FileStatus.ofLink(folder + "/" + name) else { continue }
                let bytes = try readBytes(folder + "/" + name, limit: 1 << 24, stage: .copy)
                files[name] = File(bytes: bytes, status: status)
            } catch {
                throw FuzzFinding("\(name) can't be read any more: \(error.description)")
            }
        }
        return files
    }

    /// Scratch folders that were made here and not removed.
    var leftovers: [String] {
        PathText.names(in: Self.temporary, beginningWith: OwnFiles.scratchPrefix).filter { $0.hasSuffix(identifier) }
    }
}
