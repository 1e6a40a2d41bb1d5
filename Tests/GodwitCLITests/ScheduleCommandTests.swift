import Foundation
import GodwitTestSupport
import Testing

/// `godwit schedule`, and what the programs that read its output say of it.
struct ScheduleCommandTests {
    private let scene: Scene

    init() throws {
        scene = try Scene(.twoDevices)
        try scene.folder.makeFolder("my exports 100%")
        try scene.folder.makeFolder("units")
    }

    private var exports: String { scene.folder["my exports 100%"] }

    private func schedule(_ options: [String]) throws -> Invocation.Finished {
        try scene.startBare(
            ["schedule", "--into", exports, "-m", "godwit.yaml", "-c", "./container"] + options
        ).finish()
    }

    /// Runs another program; nil if it is missing or doesn't work here.
    private func ask(_ program: String, _ arguments: [String]) throws -> (code: Int32, text: String)? {
        let folders = ["/usr/bin/", "/bin/", "/opt/swift/usr/bin/"]
        guard let folder = folders.first(where: { FileManager.default.isExecutableFile(atPath: $0 + program) }) else {
            print("skipped: there is no \(program) on this machine")
            return nil
        }
        let process = Process()
        process.executableURL = URL(filePath: folder + program)
        process.arguments = arguments
        let output = scene.folder["asked"]
        _ = FileManager.default.createFile(atPath: output, contents: nil)
        process.standardOutput = try FileHandle(forWritingTo: URL(filePath: output))
        process.standardError = process.standardOutput
        try process.run()
        process.waitUntilExit()
        return (process.terminationStatus, try String(contentsOfFile: output, encoding: .utf8))
    }

    @Test(
        "systemd accepts the units without a warning",
        arguments: [[], ["--resident"], ["--gzip", "--every", "5m"], ["--for-user"], ["--resident", "--for-user"]])
    func systemd(options: [String]) throws {
        let finished = try schedule(["--systemd", "-o", scene.folder["units"]] + options)
        #expect(finished.code == 0, "\(finished.errorText)")
        let names = scene.folder.names(in: "units").sorted()
        let timer = options.contains("--resident") ? [] : ["godwit-export-trainlog.timer"]
        #expect(names == ["godwit-export-trainlog.service"] + timer)
        #expect(finished.text.split(separator: "\n").count == names.count)
        let mode = options.contains("--for-user") ? ["--user"] : []
        let units = names.map { scene.folder["units/" + $0] }
        // Not every system has a user manager that answers.
        if let answer = try ask("systemd-analyze", mode + ["verify"] + units),
            !answer.text.contains("Failed to initialize")
        {
            #expect(answer.code == 0 && answer.text.isEmpty, "\(answer.text)")
        }
        guard !options.contains("--for-user") else { return }
        if let answer = try ask("systemd-analyze", ["security", "--offline=true", "--threshold=20", units[0]]) {
            #expect(answer.code == 0, "more exposed than 2.0: \(answer.text.suffix(200))")
        }
    }

    @Test("a unit does not hide state files or the targets of links")
    func shown() throws {
        let line = "\nProtectHome=read-only\n"
        for option in ["--account", "--network"] {
            let text = try schedule(["--systemd", option, "@/home/no-such-user/state"]).text
            #expect(text.contains(line), "\(option): \(text)")
        }
        #if os(Linux)
            // A folder that exists on every system.
            try scene.folder.makeLink("tool", to: "/root")
            let text = try schedule(["--systemd", "--program", scene.folder["tool"]]).text
            #expect(text.contains(line), "\(text)")
        #endif
    }

    @Test("printed units have a comment with their destination above each")
    func printed() throws {
        let text = try schedule(["--systemd"]).text
        #expect(text.hasPrefix("# /etc/systemd/system/godwit-export-trainlog.service\n[Unit]\n"))
        #expect(text.contains("\n# /etc/systemd/system/godwit-export-trainlog.timer\n[Unit]\n"))
        #expect(try !schedule(["--systemd", "--resident"]).text.contains(".timer"))
    }

    @Test("an agent is a property list whose words make an export", arguments: [[], ["--resident"]])
    func launchd(options: [String]) throws {
        let finished = try schedule(["--launchd", "--every", "5m", "--lines"] + options)
        #expect(finished.code == 0, "\(finished.errorText)")
        let list = try PropertyListSerialization.propertyList(from: Data(finished.output), format: nil)
        let agent = try #require(list as? [String: Any])
        #expect(agent["Label"] as? String == "godwit.export.trainlog")
        #expect(agent["StartInterval"] as? Int == (options.isEmpty ? 300 : nil))
        let words = try #require(agent["ProgramArguments"] as? [String])
        if options.isEmpty {
            #expect(try scene.startBare(Array(words.dropFirst())).finish().code == 0)
            #expect(try FileManager.default.contentsOfDirectory(atPath: exports).count == 3)
        } else {
            #expect(words.suffix(2) == ["--every", "5m"])
        }
        try scene.folder.write(finished.text, to: "agent.plist")
        if let answer = try ask("plutil", ["-lint", scene.folder["agent.plist"]]) {
            #expect(answer.code == 0, "\(answer.text)")
        }
    }

    @Test("a crontab line makes an export in a shell and prints nothing")
    func cron() throws {
        let finished = try schedule(["--cron", "--every", "15m", "--account", "@account"])
        #expect(finished.code == 0, "\(finished.errorText)")
        let fields = finished.text.split(separator: " ", maxSplits: 5)
        #expect(fields.count == 6 && fields[0].hasSuffix("-59/15"))
        // The replacement that cron makes before it calls the shell.
        let command = fields[5].replacingOccurrences(of: "\\%", with: "%")
        let answer = try #require(try ask("sh", ["-c", command]))
        #expect(answer.code == 0 && answer.text.isEmpty, "\(answer.text)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: exports).count == 3)
        #expect(command.contains(" --account @\(scene.folder["home"])/account "))
    }

    @Test("links in the folders of a path stay, because an upgrade changes their targets")
    func links() throws {
        try scene.folder.makeLink("current", to: "home")
        try scene.folder.makeLink("backups", to: "my exports 100%")
        let (home, backups) = (scene.folder["current"], scene.folder["backups"])
        for options in [["--cron"], ["--systemd"], ["--launchd"]] {
            let finished = try scene.startBare(
                ["schedule", "--into", backups, "-m", "\(home)/./godwit.yaml", "-c", "../current/container"] + options
            ).finish()
            #expect(finished.code == 0, "\(finished.errorText)")
            for path in [backups, "\(home)/godwit.yaml", "\(home)/container"] {
                #expect(finished.text.contains(path), "\(finished.text)")
            }
            #expect(!finished.text.contains(scene.folder["home"] + "/") && !finished.text.contains("/my exports"))
        }
        // A relative path is below the folder that the shell shows, which may be a link.
        let shown = try scene.startBare(
            ["schedule", "--cron", "--into", backups, "-m", "godwit.yaml", "-c", "container"],
            environment: ["PWD": home]
        ).finish()
        #expect(shown.text.contains("-m \(home)/godwit.yaml -c \(home)/container"), "\(shown.text)")
    }

    @Test("later errors are found at once: missing folder, container, manifest or output folder")
    func wrong() throws {
        let common = ["schedule", "--systemd", "-c", "container"]
        #expect(try scene.startBare(common + ["--into", "nowhere"]).finish().code == 66)
        #expect(try scene.startBare(["schedule", "--cron", "--into", exports, "-c", "nowhere"]).finish().code == 66)
        #expect(try schedule(["--cron", "--entity", "Nope"]).code == 64)
        #expect(try scene.startBare(common + ["--into", exports, "-m", "none.yaml"]).finish().code == 66)
        let finished = try scene.startBare(common + ["--into", exports, "-o", "nowhere"]).finish()
        #expect([66, 73].contains(finished.code), "\(finished.errorText)")
        #expect(try schedule(["--cron", "-o", scene.folder["units"]]).code == 0)
        #expect(try schedule(["--cron", "-o", scene.folder["units"]]).code == 0, "the very same is there")
        #expect(try schedule(["--cron", "--gzip", "-o", scene.folder["units"]]).code == 73, "nothing is replaced")
        try scene.folder.write("mine", to: "units/godwit-export-trainlog.timer")
        #expect(try schedule(["--systemd", "-o", scene.folder["units"]]).code == 73)
        #expect(try scene.folder.text(of: "units/godwit-export-trainlog.timer") == "mine")
    }

    @Test(
        "impossible schedule options are usage errors",
        arguments: [
            [], ["--systemd", "--cron"], ["--cron", "--every", "7m"], ["--cron", "--resident"],
            ["--launchd", "--for-user"], ["--systemd", "--every", "100ms"], ["--systemd", "--json"],
            ["--systemd", "--level", "3"],
        ])
    func usage(options: [String]) throws {
        let finished = try schedule(options)
        #expect(finished.code == 64, "\(finished.errorText)")
        #expect(finished.output.isEmpty)
    }

    @Test("schedule changes neither the container nor the folder")
    func changesNothing() throws {
        let before = try scene.fingerprint()
        for kind in ["--systemd", "--launchd", "--cron"] { #expect(try schedule([kind]).code == 0) }
        try scene.expectUnchanged(since: before)
        #expect(try FileManager.default.contentsOfDirectory(atPath: exports).isEmpty)
    }

    @Test("the scheduled command is the name by which the program was called, not a file that an upgrade removes")
    func calledByName() throws {
        let (program, link) = (try Executable.path(), scene.folder["bin/tool"])
        try scene.folder.makeFolder("bin")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: program)
        let line = "--cron --into \(scene.folder["units"]) -m \(scene.folder["home/godwit.yaml"]) -c container"
        func words(_ call: String) throws -> [String] {
            let answer = try #require(try ask("sh", ["-c", "cd '\(scene.folder["home"])' && \(call)"]))
            #expect(answer.code == 0, "\(answer.text)")
            return answer.text.split(separator: " ").map(String.init)
        }
        #expect(try words("\(link) schedule \(line)").contains(link))
        #expect(try words("PATH=/nowhere:\(scene.folder["bin"]):$PATH tool schedule \(line)").contains(link))
        #expect(try words("../bin/tool schedule \(line)").contains(link))
        #expect(try words("\(program) schedule --program \(link) \(line)").contains(link))
        // A name for another program is ignored; the executable's own path is used.
        let resolved = try #require(realpath(program, nil).map { String(cString: $0) })
        #expect(try words("PATH=/usr/bin bash -c 'exec -a tool \(program) schedule \(line)'").contains(resolved))
    }
}
