package import GodwitModel

/// An export that a scheduler starts at intervals or keeps running.
package struct ScheduledExport: Sendable {
    package var app: String
    /// The command line; the first word is the absolute path of the program.
    package var words: [String]
    /// The folder of exports, absolute; nothing else is written.
    package var folder: String
    /// Other paths that are read, absolute.
    package var inputs: [String]
    /// The targets of all these paths and of the program, with links resolved; they must not be hidden either.
    package var places: [String]
    package var every: Span
    /// Whether the command keeps running by itself and only has to be kept alive.
    package var isResident: Bool
    /// The user who runs it; nil for the owner of the scheduler.
    package var user: String?
    /// The folder of that user's logs; nil if not known.
    package var logs: String?

    package init(
        app: String, words: [String], folder: String, inputs: [String], places: [String] = [], every: Span,
        isResident: Bool = false, user: String? = nil, logs: String? = nil
    ) {
        (self.app, self.words, self.folder, self.inputs, self.places) = (app, words, folder, inputs, places)
        (self.every, self.isResident, self.user, self.logs) = (every, isResident, user, logs)
    }

    /// The name of units and labels: letters, digits and dashes.
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

    /// Throws (64) if a path has a character that no unit, agent or crontab can hold.
    func requireOneLine() throws(GodwitError) {
        for word in words + inputs + [folder]
        where word.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) {
            throw GodwitError(
                .export, .usage, "a path or option contains a line break or another control character",
                hint: "Rename the file: schedulers read one line.")
        }
    }
}

/// A file for a scheduler.
package struct ScheduleFile: Sendable, Equatable {
    /// Its name, which systemd requires.
    package var name: String
    /// The folder for it, or the command that installs it.
    package var place: String
    package var text: String

    package init(name: String, place: String, text: String) {
        (self.name, self.place, self.text) = (name, place, text)
    }
}
