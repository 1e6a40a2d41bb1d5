import Godwit

extension GodwitCommand {
    static var version: String { GodwitVersion.current }
}
