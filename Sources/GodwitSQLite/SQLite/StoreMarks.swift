package import GodwitModel

/// Two numbers in a store's header that belong to the app: `user_version`, often the version of its own migrations, and
/// `application_id`.
///
/// SQLite does not use them, and 0 means unset: <https://sqlite.org/pragma.html#pragma_user_version>.
package struct StoreMarks: Sendable, Equatable {
    package var userVersion: Int32
    package var applicationID: Int32

    package init(userVersion: Int32 = 0, applicationID: Int32 = 0) {
        (self.userVersion, self.applicationID) = (userVersion, applicationID)
    }
}

extension SQLiteConnection {
    package func readMarks() throws(GodwitError) -> StoreMarks {
        StoreMarks(userVersion: try mark("user_version"), applicationID: try mark("application_id"))
    }

    private func mark(_ name: String) throws(GodwitError) -> Int32 {
        guard case .integer(let number)? = try first("PRAGMA \(name)") else { return 0 }
        return Int32(truncatingIfNeeded: number)
    }

    /// Copies the marks of another store to one that Godwit makes, in the open transaction; for a 0 there, the number
    /// from the schema files stays.
    package func write(_ marks: StoreMarks) throws(GodwitError) {
        if marks.userVersion != 0 { try execute("PRAGMA user_version=\(marks.userVersion)") }
        if marks.applicationID != 0 { try execute("PRAGMA application_id=\(marks.applicationID)") }
    }
}
