internal import GodwitFiles
internal import GodwitLegacy
internal import GodwitModel
internal import GodwitPropertyList
internal import GodwitInspect

/// A folder: every store and property list in it, in order, none of which stops the others.
struct InspectedContainer {
    let inspector: Inspector
    let context: RunContext
    let container: Container

    init(_ inspector: Inspector, _ context: RunContext) throws(GodwitError) {
        self.inspector = inspector
        self.context = context
        container = try Container(inspector.path, groups: inspector.options.groupContainers)
    }

    func look() throws(GodwitError) -> Inspected {
        var walk = ContainerWalk(cancellation: context.cancellation)
        for place in [container.root] + container.groups { try walk.walk(place) }
        let found = walk.result
        var report = inspector.report(.container, context)
        report.layout = container.layout
        report.bundleIdentifier = BundleIdentity.find(in: container)
        report.otherFiles = found.otherFiles
        report.risks = found.risks
        if !found.cachedStores.isEmpty {
            report.risks.append(
                Warning(
                    "cachedStores",
                    "\(found.cachedStores.count.counted("store")) in caches or temporary folders were not read",
                    hint: "Name one of them to read it: the system may remove them at any time."))
        }
        var inspected = Inspected(report: report, stores: [], files: [], container: container)
        inspected.cachedStores = found.cachedStores
        // Files that a rollback renamed do not belong to the app any more.
        let isOfApp = { (file: ContainerWalk.Found) in !file.name.contains(OwnFiles.rollbackEnding) }
        let renamed = (found.stores + found.preferences).count { !isOfApp($0) }
        if renamed > 0 {
            inspected.report.risks.append(
                Warning("renamedByRollback", "\(renamed.counted("file")) that a rollback renamed were not read"))
        }
        try addStores(found.stores.filter(isOfApp), to: &inspected)
        try addPreferences(found.preferences.filter(isOfApp), to: &inspected)
        inspected.report.suiteConflicts = Self.conflicts(inspected)
        return inspected
    }

    private func addStores(_ files: [ContainerWalk.Found], to inspected: inout Inspected) throws(GodwitError) {
        let sorted = files.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
        for file in sorted {
            var store: StoreInspection
            do throws(GodwitError) {
                store = try inspector.storeInspector(context).inspect(file.path, name: file.name)
            } catch {
                try context.cancellation.check(.inspect)
                // A disk that fails or is full says nothing of the store.
                guard error.code != .io else { throw error }
                store = StoreInspection(report: InspectedStore(file: file.name, size: file.status.size))
                store.report.modifiedAt = file.status.modified
                store.report.risks = [Warning("unreadable", error.namingInside(container.root).line, hint: error.hint)]
                store.fault = error
            }
            if inspected.stores.contains(where: { $0.report.file.utf8.elementsEqual(file.name.utf8) }) {
                store.report.risks.append(
                    Warning(
                        "storeInTwoPlaces", "another `\(file.name)` exists; Godwit uses the one of the container",
                        hint: "Name the container that the app uses, or move the old store away."))
            }
            inspected.stores.append(store)
        }
        inspected.report.stores = inspected.stores.map(\.report)
    }

    private func addPreferences(_ files: [ContainerWalk.Found], to inspected: inout Inspected) throws(GodwitError) {
        let main = inspected.report.bundleIdentifier.map { "\($0).plist" }
        let sorted = files.sorted { a, b in
            let (first, second) = (Self.rank(a.name, main), Self.rank(b.name, main))
            return first != second ? first < second : a.name.utf8.lexicographicallyPrecedes(b.name.utf8)
        }
        for file in sorted {
            let isSuite = Self.isSuite(file.name)
            do throws(GodwitError) {
                let (found, content) = try inspector.read(file.path, name: file.name, isSuite: isSuite)
                inspected.report.preferences.append(found)
                inspected.files.append(content)
            } catch {
                try context.cancellation.check(.inspect)
                // A JSON file without settings is not a risk.
                guard file.name.lowercased().hasSuffix(".plist") else {
                    inspected.report.otherFiles += 1
                    continue
                }
                var found = InspectedPreferences(file: file.name, size: file.status.size, isSuite: isSuite)
                found.risks = [Warning("unreadable", error.namingInside(container.root).line, hint: error.hint)]
                inspected.report.preferences.append(found)
            }
        }
    }

    private static func isSuite(_ name: String) -> Bool {
        PathText.directory(of: name) == "Library/Preferences" && name.hasSuffix(".plist")
    }

    /// The app's own suite, other suites, those of groups, other files, and last what the system writes.
    private static func rank(_ name: String, _ main: String?) -> Int {
        let last = PathText.lastPart(of: name)
        guard isSuite(name) else { return 3 }
        if last == main { return 0 }
        if last.hasPrefix("com.apple.") || last.hasPrefix(".") { return 4 }
        return last.hasPrefix("group.") ? 2 : 1
    }

    /// Keys that several suites have with different values; what the system writes everywhere is left out.
    private static func conflicts(_ inspected: Inspected) -> [SuiteConflict] {
        var order: [[UInt8]] = []
        var holders: [[UInt8]: [(file: String, value: LegacyValue)]] = [:]
        let suites = inspected.report.preferences.filter { $0.format != nil }
        for (found, file) in zip(suites, inspected.files) where found.isSuite && file.size <= 4 << 20 {
            for pair in file.root where !KeyInspection.isOfTheSystem(pair.key) {
                let key = Array(pair.key.utf8)
                if holders[key] == nil { order.append(key) }
                holders[key, default: []].append((found.file, pair.value))
            }
        }
        return order.compactMap { key in
            guard let held = holders[key], held.count > 1, held.contains(where: { $0.value != held[0].value }) else {
                return nil
            }
            return SuiteConflict(key: String(decoding: key, as: UTF8.self), files: held.map(\.file))
        }
    }
}

/// The name of the app in the files next to its data.
enum BundleIdentity {
    /// The bundle identifier; nil if no file has it.
    static func find(in container: Container) -> String? {
        let parent = PathText.directory(of: container.root)
        let places = [
            (container.root, ".com.apple.mobile_container_manager.metadata.plist"),
            (parent, "AppDataInfo.plist"), (parent, ".com.apple.containermanagerd.metadata.plist"),
            (parent, "Container.plist"),
        ]
        for (folder, name) in places where container.layout != .folder {
            let path = PathText.join(folder, name)
            guard let bytes = try? readBytes(path, limit: 1 << 20, stage: .inspect),
                let document = try? LegacyDocument(bytes)
            else { continue }
            for key in ["MCMMetadataIdentifier", "CFBundleIdentifier", "Identifier"] {
                if case .string(let text)? = document.value(for: key), isIdentifier(text) { return text }
            }
        }
        return nil
    }

    /// Letters, digits, points and hyphens: <https://developer.apple.com/documentation/bundleresources/information-property-list/cfbundleidentifier>.
    private static func isIdentifier(_ text: String) -> Bool {
        (1...155).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte & 0xDF) || byte == 0x2E || byte == 0x2D
            }
    }
}

extension GodwitError {
    /// The message and its cause, in one line.
    fileprivate var line: String { underlying.map { "\(message): \($0)" } ?? message }
}
