internal import GodwitFiles
internal import GodwitModel
internal import GodwitSQLite
internal import Libc
internal import GodwitBackup

/// Walks through a container and finds its stores and its property lists.
///
/// Links are not followed and nothing but regular files is opened. It is bounded, since anybody may hand over anything:
/// what is beyond the bounds is counted, and said.
struct ContainerWalk {
    /// A file worth a look.
    struct Found: Sendable {
        /// Inside the container or group container.
        let name: String
        let path: String
        let status: FileStatus
    }

    /// The files of the container.
    struct Result: Sendable {
        var stores: [Found] = []
        /// Write-ahead logs with pages, of any name, that are not next to a store of their name.
        var strayLogs: [(file: Found, pageSize: Int)] = []
        /// Property lists, and JSON files; those in `Library/Preferences` first.
        var preferences: [Found] = []
        var otherFiles: Int64 = 0
        var risks: [Warning] = []
        var cachedStores: [String] = []
    }

    private static let mostEntries = 100_000
    private static let mostFiles = 500
    private static let deepest = 32

    let cancellation: Cancellation
    private(set) var result = Result()
    private var entries = 0
    private var isCut = false

    init(cancellation: Cancellation) { self.cancellation = cancellation }

    /// Places that the system may empty at any time, or that are its own.
    private static let passing: Set<String> = [
        "tmp", "SystemData", "StoreKit", "Library/Caches", "Library/WebKit", "Library/Cookies", "Library/HTTPStorages",
        "Library/SplashBoard", "Library/Saved Application State", "Library/Logs",
    ]

    /// Goes through one place: the container or a group container.
    mutating func walk(_ root: String) throws(GodwitError) {
        var waiting = [(path: "", depth: 0)]
        while let (folder, depth) = waiting.popLast() {
            try cancellation.check(.inspect)
            let full = folder.isEmpty ? root : PathText.join(root, folder)
            let names: [String]
            do throws(GodwitError) {
                names = try PathText.allNames(in: full, stage: .inspect)
            } catch {
                result.risks.append(Warning("unreadableFolder", error.message, hint: error.hint))
                continue
            }
            for name in names where !PathText.isArchiveResidue(name) {
                entries += 1
                guard entries <= Self.mostEntries else { return cut() }
                let inside = folder.isEmpty ? name : "\(folder)/\(name)"
                let path = PathText.join(full, name)
                guard let status = try? FileStatus.ofLink(path) else { continue }
                if status.isDirectory {
                    if let backup = DeviceBackup.refusal(of: path) {
                        result.risks.append(Warning("deviceBackup", backup.message, hint: backup.hint))
                        continue
                    }
                    let isOurs = !name.hasPrefix(".git") && !Self.isSupport(name) && !StoredBackup.isBackup(path)
                    if isOurs, depth < Self.deepest { waiting.append((inside, depth + 1)) }
                } else if status.isRegularFile {
                    take(Found(name: inside, path: path, status: status), siblings: names)
                } else {
                    result.otherFiles += 1
                }
            }
        }
    }

    private mutating func cut() {
        guard !isCut else { return }
        isCut = true
        result.risks.append(
            Warning(
                "tooManyFiles", "more than \(Self.mostEntries.grouped) files; the rest was not read",
                hint: "Name the store or the property list itself."))
    }

    /// Whether it is the folder in which Core Data keeps large values of a store.
    private static func isSupport(_ name: String) -> Bool { name.hasPrefix(".") && name.hasSuffix("_SUPPORT") }

    private mutating func take(_ file: Found, siblings: [String]) {
        let name = PathText.lastPart(of: file.name)
        let isStrayLog = takeStrayLog(file, siblings)
        for suffix in ["-wal", "-shm", "-journal"] where name.hasSuffix(suffix) {
            let store = String(name.dropLast(suffix.count))
            guard !siblings.contains(store) else { return }
            if suffix != "-shm", file.status.size > 0, !isStrayLog {
                result.risks.append(
                    Warning(
                        "logWithoutStore", "`\(file.name)` exists, but its store does not",
                        hint: "Put both back together: the file can't be read without its store."))
            }
        }
        if name.hasPrefix("."), name.lowercased().hasSuffix(".icloud") {
            result.risks.append(
                Warning(
                    "unreadableFile",
                    "`\(file.name)` is the placeholder of a file that iCloud Drive has not downloaded",
                    hint: "Download the file in Finder or the Files app, then run the same command again."))
            result.otherFiles += 1
            return
        }
        let isPassing = Self.passing.contains { file.name == $0 || file.name.hasPrefix($0 + "/") }
        let read = Self.readHead(of: file.path)
        let head = read ?? []
        let hasLog = siblings.contains(name + "-wal") || siblings.contains(name + "-journal")
        if head.starts(with: "SQLite format 3\0".utf8) || (hasLog && !name.hasSuffix(".plist")) {
            if isPassing {
                result.cachedStores.append(file.name)
            } else if result.stores.count < Self.mostFiles {
                return result.stores.append(file)
            }
        } else if !isPassing, Self.isPropertyList(name, head), result.preferences.count < Self.mostFiles {
            return result.preferences.append(file)
        } else if !isPassing, Self.isCalledLikeStore(name), file.status.size > 0 {
            if let risk = Self.risk(ofStore: file.name, head: read) { result.risks.append(risk) }
        }
        result.otherFiles += 1
    }

    /// Takes note of a log that SQLite would read, if it is not next to a store of its name.
    private mutating func takeStrayLog(_ file: Found, _ siblings: [String]) -> Bool {
        let name = PathText.lastPart(of: file.name)
        guard !name.hasSuffix("-wal") || !siblings.contains(String(name.dropLast("-wal".count))) else { return false }
        guard let pageSize = LogHeader.pageSize(ofLog: Self.head(of: file.path)),
            file.status.size >= Int64(LogHeader.size + LogHeader.frameHeaderSize + pageSize)
        else { return false }
        result.strayLogs.append((file, pageSize))
        result.risks.append(
            Warning(
                "logWithoutStore", "`\(file.name)` is the -wal file of a store that is not in the same folder",
                hint: "Put the file next to its store, with the name of the store and `-wal`."))
        return true
    }

    /// By content, or else by name, so that an empty or damaged one is reported.
    private static func isPropertyList(_ name: String, _ head: [UInt8]) -> Bool {
        if head.starts(with: "bplist0".utf8) || name.lowercased().hasSuffix(".plist") { return true }
        return name.lowercased().hasSuffix(".json") && head.first == UInt8(ascii: "{")
    }

    private static func isCalledLikeStore(_ name: String) -> Bool {
        [".sqlite", ".sqlite3", ".sqlitedb", ".db", ".db3", ".store"].contains { name.lowercased().hasSuffix($0) }
    }

    /// The risk of a file with the name of a store that cannot be read; nil if its content has another type.
    ///
    /// - Parameter head: its first bytes; nil if they could not be read.
    static func risk(ofStore name: String, head: [UInt8]?) -> Warning? {
        guard let head else {
            return Warning(
                "unreadableFile", "`\(name)` could not be read: no permission",
                hint: "Give the right to read it, or work on a copy: it has the name of a store.")
        }
        // Random bytes differ: some 57 of 64 do; what people and programs write has fewer, or none above 127.
        guard head.count == 64, Set(head).count >= 44, head.count(where: { $0 >= 0x80 }) >= 16 else { return nil }
        return Warning(
            "unreadableFile", "`\(name)` could not be read: it has the name of a store, but is encrypted or damaged",
            hint: "Export the records through the app: Godwit reads no encrypted store.")
    }

    /// The first bytes; none where they can't be read.
    static func head(of path: String) -> [UInt8] { readHead(of: path) ?? [] }

    /// The first bytes; nil if they can't be read.
    private static func readHead(of path: String) -> [UInt8]? {
        guard let file = try? OpenFile(reading: path, stage: .inspect), let status = try? file.status(),
            status.isRegularFile
        else { return nil }
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = retryingInterrupts { pread(file.descriptor, &bytes, bytes.count, 0) }
        return count < 0 ? nil : Array(bytes[..<count])
    }
}
