internal import Godwit
package import GodwitModel

/// Writes a crontab line.
///
/// Source: `crontab(5)` of Debian's cron: five fields, `first-last/step`, and `%` as a line break unless a backslash
/// precedes it.
extension ScheduledExport {
    /// The line, with a minute that depends on the app, so that not all exports begin at the full hour.
    ///
    /// - Throws: 64 for an interval that a crontab cannot express, and for a path with a control character.
    package func crontabLine() throws(GodwitError) -> ScheduleFile {
        try requireOneLine()
        guard !isResident else {
            throw GodwitError(
                .export, .usage, "cron starts commands; it does not keep one running",
                hint: "Remove --resident, or use systemd or launchd.")
        }
        let command = CommandLineText.line(words).replacingBytes(of: "%", with: "\\%")
        return ScheduleFile(
            name: name + ".crontab", place: "crontab -e", text: "\(try cronFields()) \(command)\n")
    }

    private func cronFields() throws(GodwitError) -> String {
        let minutes = every.milliseconds / 60_000
        guard every.milliseconds % 60_000 == 0, minutes > 0 else { throw unspoken }
        let offset = Int64(spread % UInt64(min(minutes, 60)))
        switch minutes {
        case 1: return "* * * * *"
        case 60: return "\(offset) * * * *"
        case 1_440: return "\(offset) \(spread / 60 % 6) * * *"
        case 10_080: return "\(offset) \(spread / 60 % 6) * * 0"
        case 2..<60 where 60 % minutes == 0: return "\(offset)-59/\(minutes) * * * *"
        case 120..<1_440 where 1_440 % minutes == 0 && minutes % 60 == 0:
            return "\(offset) \(Int64(spread / 60 % 24) % (minutes / 60))-23/\(minutes / 60) * * *"
        default: throw unspoken
        }
    }

    private var unspoken: GodwitError {
        GodwitError(
            .export, .usage, "a crontab can't express every \(every.description)",
            hint:
                "Choose minutes that divide an hour, hours that divide a day, 1d or 7d, or use systemd or "
                + "launchd."
        )
    }

    /// A number that depends on the app and does not change: FNV-1a, RFC 9923.
    private var spread: UInt64 {
        (app + folder).utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 } >> 7
    }
}
