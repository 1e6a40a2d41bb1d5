import ArgumentParser
import Godwit
import GodwitFleet

/// `godwit export --all WHERE --into DIR`.
extension ExportCommand {
    /// Throws (64) if an option does not fit a fleet.
    func validateFleet() throws {
        guard let into, !into.isEmpty else {
            throw ValidationError("--all goes with --into: each container gets a folder of exports below it.")
        }
        if every != nil { throw ValidationError("--every goes on until it is stopped; --all comes to an end.") }
        if since != nil || replace {
            throw ValidationError("--since and --replace name one export; they do not go with --all.")
        }
    }

    var call: FleetCall {
        FleetCall(
            common: common, fleet: fleet, kind: .export(into: into ?? ".", options),
            settings: [
                "store \(store?.rawValue ?? "")", "unchanged \(ifChanged)",
            ] + choices.words, adjust: setClock)
    }
}
