import GodwitModel
import GodwitService
import Testing

/// Units, agents and crontab lines as text; ScheduleCommandTests check that their readers accept them.
struct ScheduledExportTests {
    private func export(
        app: String = "TrainLog", into folder: String = "/var/backups/app", every: String = "1h",
        isResident: Bool = false, user: String? = "app"
    ) -> ScheduledExport {
        ScheduledExport(
            app: app, words: ["/usr/bin/godwit", "export", "-m", "/srv/app/godwit.yaml", "--into", folder],
            folder: folder, inputs: ["/srv/app/godwit.yaml", "/srv/app/container"],
            every: Span(every) ?? .thirtySeconds,
            isResident: isResident, user: user, logs: "/Users/app/Library/Logs")
    }

    private func unit(_ export: ScheduledExport, isForUser: Bool = false) throws -> [String] {
        try export.systemdUnits(isForUser: isForUser)[0].text.split(separator: "\n").map(String.init)
    }

    @Test("a timer starts a service that makes one export")
    func timer() throws {
        let units = try export(every: "90m").systemdUnits(isForUser: false)
        #expect(units.map(\.name) == ["godwit-export-trainlog.service", "godwit-export-trainlog.timer"])
        #expect(units.allSatisfy { $0.place == "/etc/systemd/system" })
        #expect(units[0].text.contains("Type=oneshot\nExecStart=/usr/bin/godwit export -m /srv/app/godwit.yaml"))
        #expect(units[0].text.contains("User=app\n"))
        #expect(!units[0].text.contains("[Install]"))
        #expect(
            units[1].text == """
                [Unit]
                Description=Timer for the export of TrainLog by Godwit

                [Timer]
                OnActiveSec=30s
                OnUnitActiveSec=5400s
                AccuracySec=60s

                [Install]
                WantedBy=timers.target

                """)
    }

    @Test(
        "the accuracy of a timer depends on its interval", arguments: ["1s": 1, "20s": 1, "5m": 15, "1h": 60, "7d": 60])
    func accuracy(every: String, seconds: Int) throws {
        #expect(try export(every: every).systemdUnits(isForUser: false)[1].text.contains("AccuracySec=\(seconds)s\n"))
    }

    @Test("a resident export is one service that reports its state and can reload")
    func resident() throws {
        let units = try export(isResident: true).systemdUnits(isForUser: false)
        #expect(units.count == 1)
        for line in ["Type=notify", "ExecReload=/bin/kill -HUP $MAINPID", "WatchdogSec=5min", "Restart=on-failure"] {
            #expect(units[0].text.contains(line + "\n"))
        }
        #expect(units[0].text.hasSuffix("[Install]\nWantedBy=multi-user.target\n"))
    }

    @Test("the service can write only its folder, and has no network and no privileges")
    func hardened() throws {
        let lines = try unit(export())
        for line in [
            "ProtectSystem=strict", "ReadWritePaths=/var/backups/app", "ProtectHome=yes", "PrivateTmp=yes",
            "PrivateNetwork=yes", "NoNewPrivileges=yes", "CapabilityBoundingSet=", "MemoryDenyWriteExecute=yes",
        ] {
            #expect(lines.contains(line))
        }
        #expect(lines.count { $0.hasPrefix("ReadWritePaths=") } == 1)
    }

    @Test("home folders are visible and temporary folders shared only if a path is below them")
    func visibility() throws {
        let home = try unit(export(into: "/home/app/exports"))
        #expect(home.contains("ProtectHome=read-only") && home.contains("PrivateTmp=yes"))
        let temporary = try unit(export(into: "/var/tmp/exports"))
        #expect(temporary.contains("ProtectHome=yes") && !temporary.contains("PrivateTmp=yes"))
        #expect(try unit(export(into: "/homely/exports")).contains("ProtectHome=yes"))
    }

    @Test(
        "the target of a link, and a state file, are visible to the service",
        arguments: [
            ("/home/app/state", "ProtectHome=read-only"), ("/root", "ProtectHome=read-only"),
            ("/run/user/7/network", "ProtectHome=read-only"), ("/home/\u{301}x", "ProtectHome=read-only"),
            ("/var/home/app/x", "ProtectHome=read-only"), ("/run/network", "ProtectHome=yes"),
            ("/tmp/account", "ReadWritePaths=/tmp /var/tmp"), ("/run/network", "PrivateTmp=yes"),
        ])
    func shown(path: String, line: String) throws {
        var (named, linked) = (export(), export())
        named.inputs.append(path)
        linked.places = [path]
        #expect(try unit(named).contains(line))
        #expect(try unit(linked).contains(line))
    }

    @Test(
        "shared temporary folders are writable, because scratch files are there",
        arguments: ["/tmp/exports", "/var/tmp/exports", "/srv/exports"])
    func scratch(folder: String) throws {
        let lines = try unit(export(into: folder))
        let isShared = folder != "/srv/exports"
        #expect(lines.contains("ReadWritePaths=/tmp /var/tmp") == isShared)
        #expect(lines.contains("PrivateTmp=yes") != isShared)
        #expect(lines.contains("ProtectSystem=strict") && lines.contains("ReadWritePaths=\(folder)"))
    }

    @Test("a user's own systemd gets no setting that needs privileges")
    func forUser() throws {
        let units = try export().systemdUnits(isForUser: true)
        #expect(units.allSatisfy { $0.place == "~/.config/systemd/user" })
        for name in ["User", "ProtectSystem", "CapabilityBoundingSet", "PrivateNetwork", "ReadWritePaths"] {
            #expect(!units[0].text.contains("\n\(name)="))
        }
        #expect(units[0].text.contains("\nNoNewPrivileges=yes\n"))
        let resident = try export(isResident: true).systemdUnits(isForUser: true)
        #expect(resident[0].text.hasSuffix("WantedBy=default.target\n"))
    }

    @Test("the unit for root advises another user")
    func root() throws {
        #expect(try unit(export(user: "root")).contains { $0.hasPrefix("# Use a user that") })
        #expect(try !unit(export()).contains { $0.hasPrefix("#") })
    }

    @Test(
        "characters with a meaning for systemd are escaped",
        arguments: [
            "/a b": #""/a b""#, "/100%": "/100%%", "/a$b": "/a$$b", #"/a"b"#: #""/a\"b""#, #"/a\b"#: #""/a\\b""#,
            "/a'b": #""/a'b""#, "/a;b": #""/a;b""#, "/é": "/é", "/#1": #""/#1""#,
        ])
    func systemdQuotes(path: String, word: String) throws {
        let lines = try unit(export(into: path))
        #expect(lines.contains { $0.hasPrefix("ExecStart=") && $0.hasSuffix(" --into " + word) })
        // Variables are only replaced in commands.
        let list = word.split(separator: "$$", omittingEmptySubsequences: false).joined(separator: "$")
        #expect(lines.contains("ReadWritePaths=" + list))
        #expect(lines.contains { $0.hasPrefix("RequiresMountsFor=\(list) ") })
    }

    @Test("unit names have only letters, digits and dashes, for any app")
    func names() {
        #expect(export(app: "Train Log – 2").name == "godwit-export-train-log-2")
        #expect(export(app: "列車").name == "godwit-export")
        #expect(export(app: "../../x").name == "godwit-export-x")
        #expect(export(app: String(repeating: "a", count: 300)).name.utf8.count == 74)
    }

    @Test("an agent for launchd has an interval in whole seconds, or is kept alive")
    func launchd() throws {
        let agent = try export(app: "A&B", into: "/x<y>&z", every: "5m").launchdAgent()
        #expect(agent.name == "godwit.export.a-b.plist")
        #expect(agent.text.contains("<string>/x&lt;y&gt;&amp;z</string>"))
        #expect(agent.text.contains("<key>StartInterval</key>\n    <integer>300</integer>"))
        #expect(agent.text.contains("/Users/app/Library/Logs/godwit.export.a-b.log"))
        let resident = try export(isResident: true).launchdAgent()
        #expect(resident.text.contains("<key>KeepAlive</key>") && !resident.text.contains("StartInterval"))
        #expect(throws: GodwitError.self) { try export(every: "1500ms").launchdAgent() }
    }

    @Test(
        "a crontab line is made for minutes that divide an hour, hours that divide a day, a day and a week",
        arguments: ["1m", "2m", "5m", "15m", "30m", "60m", "1h", "2h", "6h", "12h", "24h", "1d", "7d", "300s"])
    func cron(every: String) throws {
        let span = try #require(Span(every))
        let line = try export(every: every).crontabLine().text
        let fields = line.split(separator: " ").prefix(5).map(String.init)
        let matches = (0..<10_080).filter { minute in
            // 2026-11-22 is a Sunday, which is day 0 in a crontab.
            CronField.matches(fields[0], minute % 60, most: 59)
                && CronField.matches(fields[1], minute / 60 % 24, most: 23)
                && CronField.matches(fields[4], minute / 1_440, most: 6)
        }
        #expect(Int64(matches.count) == 10_080 * 60_000 / span.milliseconds, "\(line)")
        let gaps = Set(zip(matches, matches.dropFirst()).map { $1 - $0 })
        #expect(gaps.allSatisfy { Int64($0) == span.milliseconds / 60_000 }, "\(line)")
        #expect(fields[2] == "*" && fields[3] == "*")
    }

    @Test(
        "an interval that a crontab cannot express is rejected",
        arguments: ["30s", "7m", "90m", "25m", "5h", "2d", "90s", "366d"])
    func cronCannot(every: String) {
        #expect(throws: GodwitError.self) { try export(every: every).crontabLine() }
    }

    @Test("cron rejects a resident export, and a percent sign is escaped")
    func cronQuotes() throws {
        #expect(throws: GodwitError.self) { try export(isResident: true).crontabLine() }
        let line = try export(into: "/my %exports'").crontabLine().text
        #expect(line.hasSuffix(#" --into '/my \%exports'\'''"# + "\n"))
    }

    @Test("a percent sign and a quote are escaped for cron and its shell, with any combining mark after them")
    func cronMarks() throws {
        let line = try export(into: "/a%\u{301}b'\u{301}c").crontabLine().text
        let end = #" --into '/a\%"# + "\u{301}b" + #"'\''"# + "\u{301}c'\n"
        #expect(Array(line.utf8.suffix(end.utf8.count)) == Array(end.utf8))
    }

    @Test("apps are exported at different minutes, and each at the same minute")
    func spread() throws {
        let lines = try (0..<40).map { try export(app: "App\($0)").crontabLine().text }
        #expect(Set(lines.map { $0.prefix { $0 != " " } }).count > 10)
        #expect(try export().crontabLine() == export().crontabLine())
    }

    @Test("a path with a control character is rejected for every scheduler", arguments: ["/a\nb", "/a\u{7F}", "/a\tb"])
    func controlCharacters(path: String) {
        #expect(throws: GodwitError.self) { try export(into: path).systemdUnits(isForUser: false) }
        #expect(throws: GodwitError.self) { try export(into: path).launchdAgent() }
        #expect(throws: GodwitError.self) { try export(into: path).crontabLine() }
    }
}

/// A field of a crontab line, read by the rules of `crontab(5)`.
private enum CronField {
    static func matches(_ field: String, _ value: Int, most: Int) -> Bool {
        let parts = field.split(separator: "/")
        let step = parts.count > 1 ? Int(parts[1]) ?? 0 : 1
        let range = parts[0].split(separator: "-").compactMap { Int($0) }
        let first = range.first ?? 0
        let last = range.count > 1 ? range[1] : parts[0] == "*" || parts.count > 1 ? most : first
        return step > 0 && (first...last).contains(value) && (value - first) % step == 0
    }
}
