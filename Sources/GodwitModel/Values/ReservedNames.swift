/// Names in stores that Godwit reserves.
package enum ReservedNames {
    /// The prefix of the names of Godwit's own tables.
    package static let tablePrefix = "godwit_"
}
