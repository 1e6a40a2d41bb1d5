import GodwitFiles
import GodwitModel
import Libc
import Synchronization

/// A folder below `TMPDIR` for the files of one set; removed when its owner is released.
///
/// `Scripts/fuzz` sets `TMPDIR` to a folder in memory.
struct StoreBench: ~Copyable {
    private static let made = Atomic<Int>(0)

    /// Unique among the benches of all processes; its first eight characters are unique in this process.
    let identifier: String
    private let folder: String
    /// The store; its log and journal are next to it.
    let store: String
    /// A folder next to it for drafts; it does not exist at first.
    let drafts: String
    /// A file that a journal may name.
    private let named: String

    init() throws(FuzzFinding) {
        let number = String(Self.made.wrappingAdd(1, ordering: .relaxed).newValue, radix: 16)
        identifier = String(repeating: "0", count: max(0, 8 - number.count)) + number + "-fuzz-\(getpid())"
        folder = Self.temporary + "/godwit-fuzz-" + identifier
        store = folder + "/fuzz.store"
        drafts = folder + "-draft"
        named = folder + "/the user's only copy"
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

    /// Writes the files of a set.
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

    /// The properties of a file that must not change.
    struct File: Equatable {
        let bytes: [UInt8]
        let status: FileStatus
    }

    /// All files in the folder, by name.
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

    /// Scratch folders that were made for this bench and not removed.
    var leftovers: [String] {
        PathText.names(in: Self.temporary, beginningWith: OwnFiles.scratchPrefix).filter { $0.hasSuffix(identifier) }
    }
}
