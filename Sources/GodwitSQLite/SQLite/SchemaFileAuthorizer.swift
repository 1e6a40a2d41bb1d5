internal import CSQLiteShim
internal import GodwitModel

/// Refuses what a schema file must not do, and records the pragmas that it uses.
///
/// It must exist longer than the connection, or be removed from it.
final class SchemaFileAuthorizer {
    struct Pragma {
        let name: String
        let argument: String?

        var isHarmless: Bool { SchemaFileAuthorizer.harmless.contains(name) }
    }

    private var pragmas: [Pragma] = []
    /// Whether Godwit's own transactions and pragmas are permitted now.
    private var isOpen = false

    /// Pragmas that read the schema, write a field of the store's header, or are restored after the file.
    ///
    /// `foreign_keys` has no effect inside a transaction, but the usual recipe for rebuilding a table begins with it.
    private static let harmless: Set<String> = [
        "application_id", "data_version", "defer_foreign_keys", "encoding", "foreign_key_check",
        "foreign_key_list", "foreign_keys", "index_info", "index_list", "index_xinfo", "integrity_check",
        "legacy_alter_table", "page_size", "quick_check", "table_info", "table_list", "table_xinfo", "user_version",
    ]

    func watch(_ handle: OpaquePointer) {
        sqlite3_set_authorizer(
            handle,
            { context, action, first, second, _, _ in
                guard let context else { return SQLITE_DENY }
                let authorizer = Unmanaged<SchemaFileAuthorizer>.fromOpaque(context).takeUnretainedValue()
                return authorizer.allows(action, first, second) ? SQLITE_OK : SQLITE_DENY
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    private func allows(_ action: Int32, _ first: UnsafePointer<CChar>?, _ second: UnsafePointer<CChar>?) -> Bool {
        switch action {
        case SQLITE_ATTACH, SQLITE_DETACH: return false
        case SQLITE_TRANSACTION, SQLITE_SAVEPOINT: return isOpen
        case SQLITE_PRAGMA:
            guard let first else { return false }
            // Names of pragmas ignore case.
            let pragma = Pragma(
                name: String(cString: first).lowercased(), argument: second.map { String(cString: $0).lowercased() })
            pragmas.append(pragma)
            return pragma.isHarmless || isOpen
        default: return true
        }
    }

    /// Runs statements of Godwit itself, including transactions.
    func whileOpen<E>(_ body: () throws(E) -> Void) throws(E) {
        isOpen = true
        defer { isOpen = false }
        try body()
    }

    func takePragmas() -> [Pragma] {
        defer { pragmas = [] }
        return pragmas
    }
}
