internal import GodwitFiles
internal import GodwitModel
internal import GodwitInspect

/// Which of the stores of a container is the local one, which the cloud store, and what they are called where they are
/// not there yet; pure.
struct StoreChoice {
    let local: StoreInspection?
    let cloud: StoreInspection?
    let others: [InspectedStore]

    /// - Parameter wanted: the store that was named; nil for the one with the most records.
    init(_ stores: [StoreInspection], wanted: String?) throws(GodwitError) {
        let usable = stores.filter(Self.isUsable)
        var chosen: StoreInspection?
        if let wanted {
            let named = stores.filter { store in
                store.report.file.utf8.elementsEqual(wanted.utf8)
                    || PathText.lastPart(of: store.report.file).utf8.elementsEqual(wanted.utf8)
            }
            guard named.count == 1 else {
                throw GodwitError(
                    .inspect, named.isEmpty ? .noInput : .usage,
                    named.isEmpty
                        ? "no store `\(wanted)` in it" : "\(named.count) stores have the name `\(wanted)`",
                    hint: stores.isEmpty
                        ? "Remove --store: the container has no store."
                        : "Name one of \(stores.prefix(10).map(\.report.file).joined(separator: ", ")).")
            }
            if let fault = named[0].fault { throw fault }
            chosen = named[0]
        } else {
            // One that is in use or may not be read is there all the same, and may be the one that is meant.
            if let fault = stores.compactMap(\.fault).first(where: { ![.data, .noInput].contains($0.code) }) {
                throw fault
            }
            let candidates = usable.filter { store in
                !store.hasCopyReceipt && Self.faultOfWriting(store) == nil
                    && !usable.contains { Self.isCloud(store, of: $0) }
            }
            // Of several with as many records the one that was written last: the others may be what older versions
            // left.
            chosen =
                candidates.max { one, other in
                    let (mine, theirs) = (Self.records(one), Self.records(other))
                    guard mine == theirs, let first = one.report.modifiedAt, let second = other.report.modifiedAt else {
                        return mine < theirs
                    }
                    return first < second
                } ?? usable.first
        }
        if chosen == nil, let broken = stores.first(where: { $0.fault != nil }), let fault = broken.fault {
            throw fault
        }
        let local = chosen
        self.local = local
        cloud = local.flatMap { local in
            local.model == nil ? usable.first { Self.isCloud($0, of: local) } : nil
        }
        let spoken = [local, cloud].compactMap { $0?.report.file }
        others = stores.map(\.report).filter { !spoken.contains($0.file) }
    }

    /// Whether there is anything in a store that a manifest could be written for.
    static func isUsable(_ store: StoreInspection) -> Bool {
        store.fault == nil && [.tables, .coreData].contains(store.report.layout)
    }

    /// Warns of other stores with records that the manifest does not name.
    var warnings: [Warning] {
        let left = others.filter { $0.entities.contains { $0.count > 0 } }
        guard let local, let first = left.first else { return [] }
        let count = left.reduce(0) { $0 + $1.entities.reduce(0) { $0 + $1.count } }
        let names = left.count == 1 ? first.file : "\(first.file) and \((left.count - 1).counted("other store"))"
        return [
            Warning(
                "otherStores",
                "a manifest has one local store, here `\(local.report.file)`: nothing of \(names) is "
                    + "copied (\(count.counted("record")))",
                hint:
                    "If the app uses another store, name it with --store; for several, draft a manifest "
                    + "for each.")
        ]
    }

    /// Throws (65) if no manifest could make a run work on the local store.
    func requireWritable() throws(GodwitError) {
        if let local, let fault = Self.faultOfWriting(local) { throw fault }
    }

    /// Why Godwit could not write to a store of plain tables, which it has to.
    private static func faultOfWriting(_ store: StoreInspection) -> GodwitError? {
        guard store.model == nil else { return nil }
        if let books = store.report.risks.first(where: { $0.code == "foreignBooks" }) {
            return GodwitError(
                .inspect, .data, "no manifest would work: \(books.message)",
                hint:
                    "Rename the app's table in a new version of the app first: Godwit uses this name in "
                    + "every store that it migrates.")
        }
        guard store.report.isMirrored else { return nil }
        return GodwitError(
            .inspect, .data,
            "no manifest would work: CloudKit mirrors `\(store.report.file)`, which is not a Core Data store",
            hint: "Export it through the app.")
    }

    private static func records(_ store: StoreInspection) -> Int64 {
        store.report.entities.reduce(0) { $0 + $1.count }
    }

    /// Whether a store is called like another one's cloud store, and has at least its tables, as they are there.
    private static func isCloud(_ store: StoreInspection, of local: StoreInspection) -> Bool {
        guard store.model == nil, local.model == nil, !store.report.isMirrored, store.report.file != local.report.file
        else { return false }
        let (mine, theirs) = (stem(store.report.file), stem(local.report.file))
        let isNamed = ["cloud", "-cloud", "_cloud", " cloud", "icloud", "-icloud", "sync"].contains {
            mine == theirs + $0
        }
        return isNamed && local.shape.tables.allSatisfy { store.shape.table(named: $0.name) == $0 }
    }

    private static func stem(_ path: String) -> String { NamedFile(path).stem.lowercased() }

    /// The path of a new cloud store: next to the local one, with a name that no file has.
    static func cloudPath(nextTo local: String, taken: [String]) -> String {
        let file = NamedFile(local)
        var number = 1
        while true {
            let added = "Cloud" + (number == 1 ? "" : String(number))
            // SQLite cannot open a store if the name of its `-journal` is too long.
            let room = PathText.maxNameBytes - "-journal".utf8.count - added.utf8.count - file.ending.utf8.count
            let path = file.folder + PathText.shortened(file.stem, toBytes: room) + added + file.ending
            if !taken.contains(where: { $0.lowercased() == path.lowercased() }) { return path }
            number += 1
        }
    }
}

/// A path in its parts: the folder with its slash, the name, the ending with its point.
struct NamedFile {
    let folder: String
    let stem: String
    let ending: String

    init(_ path: String) {
        let name = PathText.lastPart(of: path)
        // By scalars: a slash or a point with a mark behind it is another character, but the same byte to the system.
        let scalars = name.unicodeScalars
        folder = String(path.unicodeScalars.dropLast(scalars.count))
        let point = scalars.lastIndex(of: ".").flatMap { $0 == scalars.startIndex ? nil : $0 }
        stem = point.map { String(scalars[..<$0]) } ?? name
        ending = point.map { String(scalars[$0...]) } ?? ""
    }
}
