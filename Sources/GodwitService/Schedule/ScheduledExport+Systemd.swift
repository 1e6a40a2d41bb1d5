package import GodwitModel

/// Writes hardened units for systemd: the export can write only its folder, and has no network and no privileges.
///
/// Source: `systemd.exec(5)`, `systemd.timer(5)`, `systemd.service(5)`.
extension ScheduledExport {
    /// The service and its timer; for a resident export only the service.
    ///
    /// - Parameter isForUser: Whether the units are for a user's own systemd, which cannot set up most of the
    ///   hardening.
    /// - Throws: 64 for a path with a control character.
    package func systemdUnits(isForUser: Bool) throws(GodwitError) -> [ScheduleFile] {
        try requireOneLine()
        let place = isForUser ? "~/.config/systemd/user" : "/etc/systemd/system"
        let service = ScheduleFile(
            name: name + ".service", place: place,
            text: text(of: [unitSection(), serviceSection(isForUser), isResident ? install(isForUser) : []]))
        guard !isResident else { return [service] }
        let timer = ScheduleFile(
            name: name + ".timer", place: place,
            text: text(of: [
                ["[Unit]", "Description=Timer for the export of \(app.unitText) by Godwit"],
                [
                    "[Timer]", "OnActiveSec=30s", "OnUnitActiveSec=\(every.unitText)",
                    "AccuracySec=\(max(1, min(60, every.seconds / 20)))s",
                ],
                ["[Install]", "WantedBy=timers.target"],
            ]))
        return [service, timer]
    }

    private func text(of sections: [[String]]) -> String {
        sections.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") + "\n" }.joined(separator: "\n")
    }

    private func unitSection() -> [String] {
        let mounts = ([folder] + inputs).map(\.unitWord).joined(separator: " ")
        return ["[Unit]", "Description=Export of \(app.unitText) by Godwit", "RequiresMountsFor=\(mounts)"]
    }

    private func install(_ isForUser: Bool) -> [String] {
        ["[Install]", "WantedBy=\(isForUser ? "default" : "multi-user").target"]
    }

    private func serviceSection(_ isForUser: Bool) -> [String] {
        let command = words.map { $0.unitWord(escapingVariables: true) }.joined(separator: " ")
        var lines = ["[Service]"]
        if isResident {
            lines += ["Type=notify", "NotifyAccess=main", "ExecStart=\(command)", "ExecReload=/bin/kill -HUP $MAINPID"]
            lines += ["Restart=on-failure", "RestartSec=30s", "WatchdogSec=5min"]
        } else {
            lines += ["Type=oneshot", "ExecStart=\(command)"]
        }
        if let user, !isForUser {
            if user == "root" {
                lines.append("# Use a user that can only read the container and write the folder.")
            }
            lines.append("User=\(user.unitText)")
        }
        lines += ["Nice=5", "UMask=0027"]
        return lines + Self.seccompHardening + (isForUser ? [] : mountHardening)
    }

    /// Hardening that needs no privileges.
    private static let seccompHardening = [
        "NoNewPrivileges=yes", "LockPersonality=yes", "MemoryDenyWriteExecute=yes", "RestrictRealtime=yes",
        "RestrictSUIDSGID=yes", "RestrictNamespaces=yes", "RestrictAddressFamilies=AF_UNIX",
        "SystemCallArchitectures=native", "SystemCallFilter=@system-service",
        "SystemCallFilter=~@privileged @resources",
        "SystemCallErrorNumber=EPERM",
    ]

    private var mountHardening: [String] {
        // The last two are the targets of /home and /root on systems that keep changing files in /var.
        let isAtHome = isAnyBelow("/home", "/root", "/run/user", "/var/home", "/var/roothome")
        var lines = ["CapabilityBoundingSet=", "AmbientCapabilities=", "ProtectSystem=strict"]
        lines.append("ProtectHome=\(isAtHome ? "read-only" : "yes")")
        lines.append("ReadWritePaths=\(folder.unitWord)")
        if isAnyBelow("/tmp", "/var/tmp") {
            // A private temporary folder would hide files in the shared one. The shared one is read-only unless it is
            // named, and it has the scratch files.
            lines.append("ReadWritePaths=/tmp /var/tmp")
        } else {
            lines.append("PrivateTmp=yes")
        }
        return lines + [
            "PrivateDevices=yes", "PrivateNetwork=yes", "ProtectClock=yes", "ProtectControlGroups=yes",
            "ProtectHostname=yes", "ProtectKernelLogs=yes", "ProtectKernelModules=yes", "ProtectKernelTunables=yes",
            "ProtectProc=invisible", "KeyringMode=private", "RemoveIPC=yes",
        ]
    }

    /// Whether a path that is read, written or executed is one of these folders or below one, by its name or with links
    /// resolved.
    ///
    /// Compared by bytes, because for Swift a `/` with an accent is not a `/`.
    private func isAnyBelow(_ tops: String...) -> Bool {
        let paths = [folder] + inputs + places + Array(words.prefix(1))
        return paths.contains { path in
            tops.contains { path.utf8.elementsEqual($0.utf8) || path.utf8.starts(with: ($0 + "/").utf8) }
        }
    }
}

extension Span {
    fileprivate var unitText: String { milliseconds % 1000 == 0 ? "\(seconds)s" : "\(milliseconds)ms" }
}

extension String {
    /// Free text: `%` begins a specifier, and a backslash at the end continues the line.
    fileprivate var unitText: String {
        unicodeScalars.map { $0 == "%" ? "%%" : $0 == "\\" || $0.value < 0x20 ? " " : String($0) }.joined()
    }

    fileprivate var unitWord: String { unitWord(escapingVariables: false) }

    /// One word of a list, quoted if necessary: `systemd.syntax(7)`, "Quoting".
    fileprivate func unitWord(escapingVariables: Bool) -> String {
        var word = ""
        var isPlain = !isEmpty
        for scalar in unicodeScalars {
            switch scalar {
            case "%": word += "%%"
            case "$" where escapingVariables: word += "$$"
            case "\\", "\"":
                word += "\\" + String(scalar)
                isPlain = false
            default:
                if " ';#".unicodeScalars.contains(scalar) { isPlain = false }
                word.unicodeScalars.append(scalar)
            }
        }
        return isPlain ? word : "\"\(word)\""
    }
}
