package import GodwitModel

/// An export that something else is to start at intervals, or to keep running.
package struct ScheduledExport: Sendable {
    /// The manifest's app.
    package var app: String
    /// The command line, the program by its absolute path first.
    package var words: [String]
    /// The folder of exports, absolute: the only place that is written to.
    package var folder: String
    /// What else is read, absolute.
    package var inputs: [String]
    /// Where all of these and the program are with links resolved: what must not be hidden either.
    package var places: [String]
    package var every: Span
    /// Whether the command goes on by itself and is only to be kept running.
    package var isResident: Bool
    /// Who it runs as; nil for whoever the scheduler belongs to.
    package var user: String?
    /// Where the logs of that user are; nil where that is not known.
    package var logs: String?

    package init(
        app: String, words: [String], folder: String, inputs: [String], places: [String] = [], every: Span,
        isResident: Bool = false, user: String? = nil, logs: String? = nil
    ) {
        (self.app, self.words, self.folder, self.inputs, self.places) = (app, words, folder, inputs, places)
        (self.every, self.isResident, self.user, self.logs) = (every, isResident, user, logs)
    }

    /// A part of the name of units and labels: letters, digits and dashes.
    package var name: String {
        var name = ""
        for byte in app.utf8 {
            switch byte {
            case 0x30...0x39, 0x61...0x7A: name.unicodeScalars.append(Unicode.Scalar(byte))
            case 0x41...0x5A: name.unicodeScalars.append(Unicode.Scalar(byte + 0x20))
            default: if !name.isEmpty, !name.hasSuffix("-") { name += "-" }
            }
        }
        while name.hasSuffix("-") { name.removeLast() }
        return "godwit-export" + (name.isEmpty ? "" : "-" + name.prefix(60))
    }

    /// Throws (64) where a path has a character that no unit, agent or crontab can hold.
    func requireOneLine() throws(GodwitError) {
        for word in words + inputs + [folder]
        where word.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) {
            throw GodwitError(
                .export, .usage, "A path or option has a line break or another control character in it.",
                hint: "Rename what it names: schedulers read one line.")
        }
    }
}

/// A file that a scheduler reads.
package struct ScheduleFile: Sendable, Equatable {
    /// Its name, which for systemd must stay as it is.
    package var name: String
    /// Where it is put.
    package var place: String
    package var text: String

    package init(name: String, place: String, text: String) {
        (self.name, self.place, self.text) = (name, place, text)
    }
}
