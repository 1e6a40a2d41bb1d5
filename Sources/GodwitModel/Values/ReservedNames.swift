/// Names in users' stores that belong to Godwit.
package enum ReservedNames {
    /// The beginning of the name of each of Godwit's own tables.
    package static let tablePrefix = "godwit_"
}
