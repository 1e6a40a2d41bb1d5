import Godwit

extension GodwitCommand {
    /// As `godwit --version` prints it.
    static var version: String { GodwitVersion.current }
}
