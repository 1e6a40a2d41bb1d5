import ArgumentParser
import Godwit
import GodwitFleet

/// `godwit export --all WHERE --into DIR`.
extension ExportCommand {
    /// Throws (64) if an option does not fit a fleet.
    func validateFleet() throws {
        guard let into, !into.isEmpty else {
            throw ValidationError("--all requires --into, which gives each container its own folder of exports")
        }
        if every != nil { throw ValidationError("`--every` and `--all` can't both be given") }
        if since != nil || replace {
            throw ValidationError("--since and --replace name one export, so they can't be given with --all")
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
