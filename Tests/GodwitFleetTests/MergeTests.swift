import GodwitModel
import GodwitRender
import Foundation
import GodwitFleet
import GodwitTestSupport
import Testing

/// The shards of a fleet are merged completely, or rejected.
struct MergeTests {
    private func merged(_ shards: [ShardReport]) throws -> FleetReport { try MergedFleet(shards).report }

    private func reasons(_ shards: [ShardReport]) -> String {
        let error = failure { try MergedFleet(shards) }
        guard let error, error.code == .data, error.stage == .fleet, error.hint != nil else { return "not refused" }
        return error.message
    }

    private func names(_ entries: [FleetEntry]) -> Set<String> { Set(entries.map(\.container)) }

    @Test("any fleet split into any number of shards merges to the whole fleet", arguments: FleetCommand.allCases)
    func whole(_ command: FleetCommand) throws {
        for (seed, count) in [0, 1, 2, 7, 40, 300].enumerated() {
            let fleet = MadeFleet(count, command, seed: UInt64(seed))
            let complete = fleet.report(nil)
            for number in [1, 2, 3, 8, 33] {
                var shards = fleet.reports(number)
                var dice = Dice(state: UInt64(number))
                shards.shuffle(using: &dice)
                let report = try merged(shards)
                #expect(report.containers.map(\.container) == complete.containers.map(\.container))
                #expect(report.counts == complete.counts)
                #expect(
                    report.slowest.map(\.durationMilliseconds) == complete.slowest.map(\.durationMilliseconds))
                #expect(report.shards == number && report.shard == nil)
                #expect(report.fleet == fleet.identity)
                #expect(report.durationMilliseconds == Int64(number) * 100)
                #expect(report.startedAt == Instant(seconds: 1_795_000_001))
                #expect(report.doneEarlier == 2 * number)
                #expect(report.command == command.rawValue && report.app == "TrainLog" && report.folder == "fleet")
            }
        }
    }

    @Test("the merged report has the same bytes for any order of shards")
    func order() throws {
        let shards = MadeFleet(60).reports(5)
        let one = try JSONReport.encode(merged(shards))
        #expect(try JSONReport.encode(merged(shards.reversed())) == one)
    }

    @Test("the clock of a shard is in the merged report, from a journal and from a report")
    func clock() throws {
        let fleet = MadeFleet(20)
        #expect(try merged(fleet.reports(2)).clock == nil)
        let clock = SetClock(setBy: .now, time: Instant(seconds: 1_795_000_000))
        var report = fleet.report(nil)
        report.clock = clock
        #expect(try merged([try #require(ShardReport(report, in: "r.json"))]).clock == clock)
        var header = fleet.header(nil)
        header.clock = clock
        let lines = [String(decoding: header.line, as: UTF8.self)] + (try fleet.lines(nil).dropFirst())
        let folder = try TemporaryFolder()
        let journal = try JournalContents(of: folder.write(lines.joined(separator: "\n") + "\n", to: "j.jsonl"))
        #expect(try merged([try #require(ShardReport(journal, in: "j.jsonl"))]).clock == clock)
    }

    @Test("a missing or repeated shard is reported", arguments: [2, 3, 8])
    func lostShards(_ number: Int) {
        let shards = MadeFleet(50).reports(number)
        for index in 0..<number {
            var fewer = shards
            fewer.remove(at: index)
            #expect(reasons(fewer).contains("shard \(index + 1)/\(number) is missing"))
            #expect(reasons(shards + [shards[index]]).contains("shard \(index + 1)/\(number) occurs twice"))
        }
    }

    @Test("a missing, repeated or misplaced container is reported")
    func lostContainers() throws {
        let fleet = MadeFleet(40)
        let shards = fleet.reports(4)
        for shard in shards.indices {
            for place in shards[shard].entries.indices {
                let entry = shards[shard].entries[place]
                var changed = shards
                changed[shard].entries.remove(at: place)
                #expect(reasons(changed).contains("1 of the fleet's 40 containers is missing"))
                changed[(shard + 1) % 4].entries.append(entry)
                #expect(reasons(changed).contains("\(entry.container) is in"))
                #expect(reasons(changed).contains("belongs to shard \(shard + 1)/4"))
                changed = shards
                changed[shard].entries.append(entry)
                #expect(reasons(changed).contains("\(entry.container) occurs twice in \(shard + 1).json"))
                changed[shard].entries = shards[shard].entries
                changed[(shard + 2) % 4].entries.append(entry)
                #expect(reasons(changed).contains("\(entry.container) is in"))
                changed = shards
                changed[shard].doneTwice = [entry.container]
                #expect(reasons(changed).contains("\(entry.container) was processed twice"))
            }
        }
    }

    @Test("a container with another name, and an extra one, are reported")
    func otherContainers() throws {
        let shard = try #require(Shard(index: 1, count: 1))
        let fleet = MadeFleet(3)
        var report = try #require(ShardReport(fleet.report(shard), in: "a"))
        report.entries[0].container += "x"
        #expect(reasons([report]).contains("the containers are not those of the fleet"))
        report = try #require(ShardReport(fleet.report(shard), in: "a"))
        report.entries.append(MadeFleet.entry("new", .run))
        #expect(reasons([report]).contains("there are 1 more than the fleet's 3 containers"))
    }

    @Test("a journal's header shows how many containers of which shard are missing")
    func share() throws {
        let fleet = MadeFleet(30)
        var shards = fleet.reports(3)
        for index in shards.indices {
            shards[index].share = FleetIdentity(of: shards[index].entries.map(\.container))
        }
        _ = try merged(shards)
        let count = shards[1].entries.count
        shards[1].entries.removeLast(2)
        #expect(reasons(shards).contains("2 of the \(count) containers of shard 2/3 are missing (2.json)"))
    }

    @Test("reports of different fleets do not merge, and every difference is reported")
    func differences() throws {
        let shards = MadeFleet(20).reports(2)
        func changed(_ change: (inout ShardReport) -> Void) -> String {
            var shards = shards
            change(&shards[1])
            return reasons(shards)
        }
        #expect(changed { $0.command = .verify }.contains("another command"))
        #expect(changed { $0.app = "Other" }.contains("another app"))
        #expect(changed { $0.dryRun = true }.contains("another --dry-run"))
        #expect(changed { $0.fleet = FleetIdentity(containers: 20, sha256: "00") }.contains("another fleet"))
        #expect(changed { $0.fleet = nil }.contains("does not name its fleet"))
        #expect(changed { $0.shard = Shard(index: 2, count: 3) }.contains("another number of shards (3, not 2)"))
        #expect(changed { $0.shard = nil }.contains("is of a whole fleet"))
        let both = changed { ($0.command, $0.app) = (.export, "Other") }
        #expect(both.contains("2.json has another command, another app than 1.json"))
        var settled = shards
        (settled[0].settings, settled[1].settings) = ("a", "b")
        #expect(reasons(settled).contains("another manifest or options"))
        // A report does not contain the settings it was made with.
        settled[1].settings = nil
        _ = try merged(settled)
        // Each shard may have another spelling of the folder, and another version of Godwit.
        settled[1].folder = "./fleet"
        #expect(try merged(settled).folder == "fleet")
    }

    @Test("the report of a whole fleet merges only without others, unchanged")
    func complete() throws {
        let fleet = MadeFleet(12)
        let report = try #require(ShardReport(fleet.report(nil), in: "a.json"))
        #expect(try merged([report]).counts == fleet.report(nil).counts)
        #expect(try merged([report]).shards == nil)
        let again = try #require(ShardReport(merged(fleet.reports(3)), in: "m.json"))
        #expect(try merged([again]).shards == 3)
        #expect(reasons([report, report]).contains("a.json is of a whole fleet"))
        var old = report
        old.fleet = nil
        #expect(try merged([old]).fleet == fleet.identity)
    }

    @Test("no reports do not merge")
    func nothing() {
        #expect(failure { try MergedFleet([]) }?.code == .data)
    }

    @Test("of very many reasons, twenty are listed and the rest is counted")
    func manyReasons() {
        let shards = MadeFleet(400).reports(50)
        let message = reasons([shards[0]])
        #expect(message.components(separatedBy: "is missing").count == 21)
        #expect(message.hasSuffix("; and 29 more"))
    }

    @Test("names that are equal only for Unicode are different containers")
    func scalars() throws {
        var fleet = MadeFleet(0)
        fleet.entries = ["e\u{301}", "\u{E9}"].map { MadeFleet.entry($0, .run) }
        #expect(try merged(fleet.reports(3)).containers.count == 2)
    }

    @Test("failed containers are rows of the merged report and decide its exit code")
    func verdicts() throws {
        var fleet = MadeFleet(9)
        for index in fleet.entries.indices { fleet.entries[index].verdict = .completed }
        #expect(try merged(fleet.reports(2)).verdictCode(isStrict: true) == nil)
        fleet.entries[3].verdict = .partial
        #expect(try merged(fleet.reports(2)).verdictCode(isStrict: false) == nil)
        #expect(try merged(fleet.reports(2)).verdictCode(isStrict: true) == .partial)
        fleet.entries[4].verdict = .failed
        #expect(try merged(fleet.reports(2)).verdictCode(isStrict: true) == .difference)
        fleet.entries[4].verdict = .unreadable
        #expect(try merged(fleet.reports(2)).verdictCode(isStrict: false) == .difference)
    }

    @Test("impossible numbers in a report neither crash nor count below zero")
    func absurdNumbers() throws {
        var shards = MadeFleet(9).reports(2)
        (shards[0].durationMilliseconds, shards[1].durationMilliseconds) = (.max, .max)
        (shards[0].doneEarlier, shards[1].doneEarlier) = (.max, -5)
        let report = try merged(shards)
        #expect(report.durationMilliseconds == .max)
        #expect(report.doneEarlier == .max)
    }
}
