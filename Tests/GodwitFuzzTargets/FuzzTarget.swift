/// The fuzz targets: each accepts any bytes, and may read, reject or edit them, but never crash.
///
/// A target's raw value is its name on the command line and its folder in `Tests/Fuzz/Corpus` and
/// `Tests/Fuzz/Regressions`.
package enum FuzzTarget: String, CaseIterable, Sendable {
    /// The `bplist00` reader.
    case binaryPropertyList = "binary-plist"
    /// The XML property list reader.
    case xmlPropertyList = "xml-plist"
    /// The JSON settings reader.
    case legacyJSON = "json-legacy"
    /// The favourites decoder, in all its encodings.
    case favorites
    /// Setting the flag in a preferences file.
    case propertyListEdit = "plist-edit"
    /// `godwit.yaml`.
    case manifest
    /// Points in time, as text and as numbers.
    case instant
    /// The file of sync events.
    case syncEvents = "sync-events"
    /// A store with its log and journal: clone, recovery, integrity, all rows.
    case storeSet = "wal-clone"
    /// A Core Data store: its stored model, its tables, and the result of `init`.
    case coreData = "core-data"
    /// A store with its log and journal, as `inspect` and `init` read it.
    case inspection = "inspect"
    /// An export document, as `import` reads it.
    case importDocument = "import"

    /// Runs one input; throws if the result violates a property, and traps where Godwit does.
    package func run(_ bytes: [UInt8]) throws(FuzzFinding) {
        switch self {
        case .binaryPropertyList: try PropertyListCheck.binary(bytes)
        case .xmlPropertyList: try PropertyListCheck.xml(bytes)
        case .legacyJSON: try JSONCheck.run(bytes)
        case .favorites: try FavoritesCheck.run(bytes)
        case .propertyListEdit: try EditCheck.run(bytes)
        case .manifest: try ManifestCheck.run(bytes)
        case .instant: try InstantCheck.run(bytes)
        case .syncEvents: try SyncEventsCheck.run(bytes)
        case .storeSet: try StoreSetCheck.run(bytes)
        case .coreData: try CoreDataCheck.run(bytes)
        case .inspection: try InspectionCheck.run(bytes)
        case .importDocument: try ImportCheck.run(bytes)
        }
    }
}
