import Godwit

extension GodwitCommand {
    /// The version that `godwit --version` prints.
    static var version: String { GodwitVersion.current }
}
