import GodwitTestSupport
import Testing

struct PlanCommandTests {
    /// A report without what differs between two dry runs.
    private func comparable(_ bytes: [UInt8], in scene: Scene) throws -> JSONValue {
        var report = try JSONValue(bytes).normalisedReport(in: scene)
        report["run"]?["command"] = ""
        report["run"]?["dryRun"] = false
        report["nextSteps"] = .array([])
        report["plan"] = nil
        return report
    }

    @Test("a run of a saved plan has the plan's report", arguments: Scene.Sample.allCases)
    func runs(_ sample: Scene.Sample) throws {
        let scene = try Scene(sample)
        let plan = try scene.godwit("plan", "-o", scene.folder["plan.json"])
        #expect(plan.code == 0, "\(plan.errorText)")
        let words = plan.text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(words.contains("To run exactly this plan: godwit run --plan \(scene.folder["plan.json"]) -m "))
        let run = try scene.godwit("run", "--plan", scene.folder["plan.json"], "--json")
        #expect(run.code == 0, "\(run.errorText)")
        let saved = try scene.folder.bytes(of: "plan.json")
        #expect(try comparable(saved, in: scene) == comparable(run.output, in: scene))
        #expect(try JSONValue(saved)["plan", "formatVersion"] == 1)
    }

    @Test("saving a plan also prints it, unless --quiet is given")
    func shown() throws {
        let scene = try Scene(.twoDevices)
        let printed = try scene.godwit("plan").text.split(separator: "\n")
        let saved = try scene.godwit("plan", "-o", scene.folder["plan.json"]).text.split(separator: "\n")
        #expect(saved.contains { $0.hasPrefix("✓ verify   14 checks would pass") })
        #expect(saved.dropLast(2).starts(with: printed.dropLast(2).prefix { !$0.contains("Planned in") }))
        #expect(try scene.godwit("plan", "-q", "-o", scene.folder["quiet.json"]).output.isEmpty)
        #expect(try scene.godwit("plan", "--json", "-o", scene.folder["other.json"]).output.isEmpty)
    }

    @Test("the printed command is complete, with every option that decided the plan")
    func typed() throws {
        let scene = try Scene(.twoDevices)
        let plan = scene.folder["my plan.json"]
        let made = try scene.godwit("plan", "--strict", "--allow-orphans", "--network", "online", "-o", plan)
        let words = made.text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        let command = try #require(
            words.firstMatch(of: /To run exactly this plan: godwit (.*?) →|To run exactly this plan: godwit (.*)/))
        let typed = String(command.output.1 ?? command.output.2 ?? "")
        #expect(typed.contains("--plan '\(plan)'"))
        #expect(typed.contains("--allow-orphans --strict --network online"))
        #expect(
            try scene.godwit("run", "-q", "--plan", plan, "--strict", "--allow-orphans", "--network", "online").code
                == 0)
    }

    @Test("JSON from plan and from run --dry-run can be used as a saved plan")
    func printed() throws {
        let scene = try Scene(.twoDevices)
        let before = try scene.fingerprint()
        let plan = try scene.godwit("plan", "--json")
        let dryRun = try scene.godwit("run", "--dry-run", "--json")
        #expect(try comparable(plan.output, in: scene) == comparable(dryRun.output, in: scene))
        #expect(try plan.json()["plan", "inputsSha256"] == dryRun.json()["plan", "inputsSha256"])
        #expect(try dryRun.json()["run", "command"] == "plan")
        try scene.expectUnchanged(since: before)
        try scene.folder.write(dryRun.output, to: "plan.json")
        #expect(try scene.godwit("run", "-q", "--plan", scene.folder["plan.json"]).code == 0)
    }

    @Test("a manifest, schema file or option that changed after the plan is named, and nothing is written")
    func refused() throws {
        let scene = try Scene()
        let plan = scene.folder["plan.json"]
        try #require(try scene.godwit("plan", "-o", plan).code == 0)
        let run = ["run", "--plan", plan, "-m", scene.manifest, "-c", scene.container, "--now", Scene.now]
        try scene.expectRefusal(
            65, of: ["run", "--plan", plan, "--allow-orphans"], naming: ["option --allow-orphans is true, was false"])
        let manifest = try scene.folder.text(of: "home/godwit.yaml")
        try scene.write(manifest: manifest + "# a comment\n")
        try scene.expectRefusal(65, of: ["run", "--plan", plan], naming: ["manifest godwit.yaml changed in content"])
        try scene.write(manifest: manifest)
        let schema = "home/Migrations/V0002__settings_and_favorites.sql"
        let sql = try scene.folder.text(of: schema)
        try scene.folder.write(sql + "\n", to: schema)
        try scene.expectRefusal(
            65, of: ["run", "--plan", plan], naming: ["schema V0002__settings_and_favorites.sql changed in size"])
        try scene.folder.write(sql, to: schema)
        try scene.folder.write("CREATE TABLE Later(id TEXT);", to: "home/Migrations/V0003__later.sql")
        try scene.expectRefusal(65, of: ["run", "--plan", plan], naming: ["schema V0003__later.sql is new"])
        try scene.folder.remove("home/Migrations/V0003__later.sql")
        #expect(try scene.startBare(run).finish().code == 0)
    }

    @Test("a file that is not a plan is rejected in one line, and a FIFO is not read")
    func hostile() throws {
        let scene = try Scene()
        try scene.folder.write("{\"plan\":{\"formatVersion\":1},\"reportVersion\":1}", to: "plan.json")
        try scene.expectRefusal(65, of: ["run", "--plan", scene.folder["plan.json"]], naming: ["plan.json", "edited"])
        try scene.folder.makeFIFO("waits")
        try scene.expectRefusal(66, of: ["run", "--plan", scene.folder["waits"]], naming: ["not a regular file"])
        try scene.expectRefusal(66, of: ["run", "--plan", scene.folder["nothing"]], naming: ["nothing"])
    }
}
