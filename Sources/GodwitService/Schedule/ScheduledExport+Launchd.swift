package import GodwitModel

/// Writes an agent for launchd.
///
/// Source: `launchd.plist(5)`; the form of the property list is Apple's document type `PropertyList-1.0`.
extension ScheduledExport {
    /// The agent's property list.
    ///
    /// - Throws: 64 for a path with a control character, and for an interval that is not a whole number of seconds.
    package func launchdAgent() throws(GodwitError) -> ScheduleFile {
        try requireOneLine()
        guard every.milliseconds % 1000 == 0 else {
            throw GodwitError(
                .export, .usage, "launchd starts a job at whole seconds", hint: "Give --every in whole seconds.")
        }
        let label = name.split(separator: "-", maxSplits: 2).joined(separator: ".")
        var lines = [
            #"<?xml version="1.0" encoding="UTF-8"?>"#,
            #"<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">"#,
            #"<plist version="1.0">"#, "<dict>",
        ]
        func add(_ key: String, _ value: String...) {
            lines.append("    <key>\(key)</key>")
            lines += value.map { "    " + $0 }
        }
        add("Label", "<string>\(label)</string>")
        add("ProgramArguments", "<array>")
        lines += words.map { "        <string>\($0.escapedForXML)</string>" } + ["    </array>"]
        if isResident {
            add("KeepAlive", "<dict>", "    <key>SuccessfulExit</key>", "    <false/>", "</dict>")
        } else {
            add("StartInterval", "<integer>\(every.seconds)</integer>")
        }
        add("RunAtLoad", "<true/>")
        add("ProcessType", "<string>Background</string>")
        add("LowPriorityIO", "<true/>")
        // launchd reads a decimal number: 23 is 027.
        add("Umask", "<integer>23</integer>")
        if let logs {
            let path = "\(logs)/\(label).log".escapedForXML
            add("StandardOutPath", "<string>\(path)</string>")
            add("StandardErrorPath", "<string>\(path)</string>")
        }
        lines += ["</dict>", "</plist>"]
        return ScheduleFile(
            name: label + ".plist", place: "~/Library/LaunchAgents", text: lines.joined(separator: "\n") + "\n")
    }
}

extension String {
    fileprivate var escapedForXML: String {
        unicodeScalars.map { scalar in
            switch scalar {
            case "&": "&amp;"
            case "<": "&lt;"
            case ">": "&gt;"
            default: String(scalar)
            }
        }.joined()
    }
}
