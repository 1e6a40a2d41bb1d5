internal import CSQLiteShim

/// A function that distinguishes `-0.0` from `0.0`, which SQLite treats as equal and prints alike.
///
/// An export must order all records, also two that differ only in this.
package enum NegativeZero {
    /// Returns 1 for `-0.0`, otherwise 0.
    package static let function = "godwit_is_negative_zero"

    /// Registers the function on a handle; schemas cannot use it.
    static func register(on handle: OpaquePointer) {
        sqlite3_create_function_v2(
            handle, function, 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY, nil,
            { context, _, values in
                guard let value = values?[0] else { return }
                let isReal = sqlite3_value_type(value) == SQLITE_FLOAT
                sqlite3_result_int(context, isReal && sqlite3_value_double(value).bitPattern == 1 << 63 ? 1 : 0)
            }, nil, nil, nil)
    }

    static func withdraw(from handle: OpaquePointer) {
        sqlite3_create_function_v2(handle, function, 1, SQLITE_UTF8, nil, nil, nil, nil, nil)
    }
}
