/// Errors in the manifest: exit code 78, the position `file:line:column`, and a hint.
extension GodwitError {
    package static func manifest(
        _ file: String, _ position: SourcePosition, _ message: String, hint: String? = nil, underlying: String? = nil
    ) -> GodwitError {
        GodwitError(
            .manifest, .manifest, "\(file):\(position.line):\(position.column): \(message)",
            hint: hint ?? "Correct this position in the manifest, then run the same command again.",
            underlying: underlying
        ).placed(in: file, position)
    }
}

extension Manifest {
    /// The position of a part of the manifest, by its path; the enclosing part if the path is not in the file.
    ///
    /// Paths are `entities.Workout.key` or `legacy.settings[0].into`. A path names the value; with `#key` at the end,
    /// it names the key before the colon.
    package func position(of path: String) -> SourcePosition {
        var path = path[...]
        while true {
            if let position = positions[String(path)] { return position }
            guard let end = path.lastIndex(where: { $0 == "." || $0 == "#" || $0 == "[" }) else { return .start }
            path = path[..<end]
        }
    }

    package func refusal(of path: String, _ message: String, hint: String? = nil) -> GodwitError {
        .manifest(file, position(of: path), message, hint: hint)
    }
}

/// A name in backquotes for one line of a terminal: control characters escaped, 60 characters at most.
package func named(_ name: some StringProtocol) -> String {
    var shown = ""
    for scalar in name.unicodeScalars.prefix(60) {
        if scalar.isControl {
            shown += "\\u{\(String(scalar.value, radix: 16))}"
        } else {
            shown.unicodeScalars.append(scalar)
        }
    }
    return "`\(shown)\(name.unicodeScalars.count > 60 ? "…" : "")`"
}

extension Unicode.Scalar {
    /// A control or invisible formatting character, which could hide or fake text on a terminal.
    var isControl: Bool {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: true
        default: false
        }
    }
}
