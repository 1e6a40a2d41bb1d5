internal import GodwitFiles
package import GodwitModel
internal import GodwitSQLite

/// Reads property lists inside a store, with a reader that this target does not have.
package struct CoreDataArchives: Sendable {
    /// The top level of a property list; nil if the bytes cannot be read.
    package let read: @Sendable ([UInt8]) -> [LegacyPair]?
    /// The content of a keyed archive as JSON text; nil if the bytes are not one, or contain more than plain values.
    package let text: @Sendable ([UInt8]) -> [UInt8]?

    package init(
        read: @escaping @Sendable ([UInt8]) -> [LegacyPair]?,
        text: @escaping @Sendable ([UInt8]) -> [UInt8]? = { _ in nil }
    ) {
        (self.read, self.text) = (read, text)
    }
}

extension CoreDataMetadata {
    /// The safe part of a `Z_PLIST`: names and hashes of the model's version, and Core Data's own version.
    ///
    /// Apps keep tokens and identifiers under other keys; those are only counted.
    package init(_ pairs: [LegacyPair]) {
        self.init()
        for pair in pairs {
            switch (pair.key, pair.value) {
            case ("NSStoreModelVersionIdentifiers", .array(let names)):
                modelIdentifiers = names.compactMap(\.text).filter { !$0.isEmpty }
            case ("NSStoreModelVersionHashes", .dictionary(let hashes)):
                for hash in hashes {
                    guard case .data(let bytes) = hash.value, bytes.count <= 64 else { continue }
                    versionHashes[hash.key] = hexText(bytes)
                }
            case ("NSPersistenceFrameworkVersion", .integer(let number)): frameworkVersion = number
            case ("NSPersistentHistoryTrackingKey", .bool(let isOn)): tracksHistory = isOn
            case ("NSPersistentHistoryTrackingKey", .integer(let number)): tracksHistory = number != 0
            default:
                let isOwn = ["NSStoreType", "NSStoreModelVersionHashesVersion", "NSStoreModelVersionHashesDigest"]
                if !isOwn.contains(pair.key), !pair.key.hasPrefix("_NSAutoVacuum") { hiddenKeys += 1 }
            }
        }
    }
}

extension SQLiteConnection {
    /// The safe part of `Z_METADATA`; nil if it is missing or unreadable.
    func readMetadata(_ shape: SchemaShape, _ archives: CoreDataArchives) throws(GodwitError) -> CoreDataMetadata? {
        guard let bytes = try readArchive("Z_PLIST", of: CoreDataTable.metadata, shape, limit: 4 << 20) else {
            return nil
        }
        return archives.read(bytes).map { CoreDataMetadata($0) }
    }

    /// The model in the store; nil if it is missing or unreadable.
    func readArchivedModel(
        _ shape: SchemaShape, _ archives: CoreDataArchives
    ) throws(GodwitError) -> CoreDataArchivedModel? {
        guard let packed = try readArchive("Z_CONTENT", of: CoreDataTable.modelCache, shape, limit: 16 << 20),
            let bytes = Deflated.unpack(packed, limit: 32 << 20), let pairs = archives.read(bytes)
        else { return nil }
        return CoreDataArchivedModel(pairs)
    }

    /// The blob in the first row of one of Core Data's own tables, up to a maximum size.
    private func readArchive(
        _ column: String, of table: String, _ shape: SchemaShape, limit: Int64
    ) throws(GodwitError) -> [UInt8]? {
        guard let found = shape.table(named: table), found.column(named: column)?.isGenerated == false else {
            return nil
        }
        let sql =
            "SELECT \(column) FROM \(try source(found.name)) "
            + "WHERE typeof(\(column)) = 'blob' AND length(\(column)) BETWEEN 1 AND \(limit) LIMIT 1"
        guard case .blob(let bytes)? = try first(sql) else { return nil }
        return bytes
    }
}
