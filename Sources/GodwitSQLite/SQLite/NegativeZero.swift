internal import CSQLiteShim

/// A function that tells `-0.0` from `0.0`, which SQLite calls equal and prints alike.
///
/// Two records that differ in nothing else have an order only by it, and an export must have one.
package enum NegativeZero {
    /// Its name in SQL; 1 for `-0.0`, else 0.
    package static let function = "godwit_is_negative_zero"

    /// Makes the function known to a handle; schemas can't use it.
    static func register(on handle: OpaquePointer) {
        sqlite3_create_function_v2(
            handle, function, 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY, nil,
            { context, _, values in
                guard let value = values?[0] else { return }
                let isReal = sqlite3_value_type(value) == SQLITE_FLOAT
                sqlite3_result_int(context, isReal && sqlite3_value_double(value).bitPattern == 1 << 63 ? 1 : 0)
            }, nil, nil, nil)
    }

    /// Takes it away again.
    static func withdraw(from handle: OpaquePointer) {
        sqlite3_create_function_v2(handle, function, 1, SQLITE_UTF8, nil, nil, nil, nil, nil)
    }
}
