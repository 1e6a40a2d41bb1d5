package import GodwitModel

/// Two numbers in a store's header that belong to the app: `user_version`, in which many apps keep the version of their
/// own migrations, and `application_id`.
///
/// SQLite makes no use of them, and 0 is as good as none: <https://sqlite.org/pragma.html#pragma_user_version>.
package struct StoreMarks: Sendable, Equatable {
    package var userVersion: Int32
    package var applicationID: Int32

    package init(userVersion: Int32 = 0, applicationID: Int32 = 0) {
        self.userVersion = userVersion
        self.applicationID = applicationID
    }
}

extension SQLiteConnection {
    /// The marks of the store.
    package func readMarks() throws(GodwitError) -> StoreMarks {
        StoreMarks(userVersion: try mark("user_version"), applicationID: try mark("application_id"))
    }

    private func mark(_ name: String) throws(GodwitError) -> Int32 {
        guard case .integer(let number)? = try first("PRAGMA \(name)") else { return 0 }
        return Int32(truncatingIfNeeded: number)
    }

    /// Gives a store that Godwit makes the marks of another one, as part of the transaction that is open; what is 0 there
    /// stays as the schema files set it.
    package func write(_ marks: StoreMarks) throws(GodwitError) {
        if marks.userVersion != 0 { try execute("PRAGMA user_version=\(marks.userVersion)") }
        if marks.applicationID != 0 { try execute("PRAGMA application_id=\(marks.applicationID)") }
    }
}
