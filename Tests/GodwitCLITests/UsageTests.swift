import GodwitTestSupport
import Testing

/// Mistakes on the command line give errors of the same form as all others, with a hint.
struct UsageTests {
    struct Mistake: CustomTestStringConvertible {
        let words: String
        let error: String
        let hint: String
        var testDescription: String { words }

        init(_ words: String, _ error: String, _ hint: String) {
            (self.words, self.error, self.hint) = (words, error, hint)
        }
    }

    static let mistakes = [
        Mistake("verfy -m godwit.yaml", "unknown command `verfy`", "Did you mean `verify`?"),
        Mistake("rnu", "unknown command `rnu`", "Did you mean `run`?"),
        Mistake("xyzzy --all", "unknown command `xyzzy`", "Run `godwit --help` for the list of commands."),
        Mistake(
            "-m godwit.yaml run", "the option `-m` is before the command", "Write the command first: `godwit run -m …`."
        ),
        Mistake("run --strct", "unknown option `--strct`", "Did you mean `--strict`?"),
        Mistake("run --all x -c y", "`--all` and `--container` can't both be given", "Use one of the two."),
        Mistake("history -n 2", "unknown option `-n`", "Run `godwit history --help`."),
        Mistake("run --wxyz", "unknown option `--wxyz`", "Run `godwit run --help`."),
        Mistake(
            "plan --all x", "unknown option `--all`", "Use it with `godwit run` or `godwit verify` or `godwit export`."),
        Mistake("verify --junit", "unknown option `--junit`", "Use `--format junit`."),
        Mistake("plan --dry-run", "unknown option `--dry-run`", "Remove it: `godwit plan` changes nothing."),
        Mistake("run --networ", "unknown option `--networ`", "Did you mean `--network`?"),
        Mistake(
            "freshness -m x", "unknown option `-m`",
            "Remove it: `godwit freshness` needs no manifest and no container."),
        Mistake("--verison", "unknown option `--verison`", "Did you mean `--version`?"),
        Mistake("help plann", "unknown command `plann`", "Did you mean `plan`?"),
        Mistake("validate", "unknown command `validate`", "Use `godwit plan`, which checks manifest and schema files."),
        Mistake("plan app.yaml", "unexpected argument `app.yaml`", "Name it with `-m app.yaml`."),
        Mistake("forget x --keep-last -5", "invalid value `-5` for `--keep-last`", "Write a whole number."),
        Mistake(
            "status --network offlin", "invalid value `offlin` for `--network`",
            "Use one of `online`, `offline` or `unknown`."),
        Mistake("schedule --systemd --cron", "`--systemd` and `--cron` can't both be given", "Use one of the two."),
        Mistake("run extra", "unexpected argument `extra`", "Run `godwit run --help`."),
        Mistake(
            "run --lock-timeout 12hours", "invalid value `12hours` for `--lock-timeout`",
            "Write a whole number and a unit (`ms`, `s`, `m`, `h` or `d`), such as `90s` or `12h`."),
        Mistake(
            "export --into x --every 5minutes", "invalid value `5minutes` for `--every`",
            "Write a whole number and a unit (`ms`, `s`, `m`, `h` or `d`), such as `90s` or `12h`."),
        Mistake(
            "freshness --warn-after 1week x", "invalid value `1week` for `--warn-after`",
            "Write a whole number and a unit (`ms`, `s`, `m`, `h` or `d`), such as `90s` or `12h`."),
        Mistake(
            "plan --now yesterday", "invalid value `yesterday` for `--now`",
            "Write an instant of ISO 8601, such as `2026-11-21T06:00:00Z`."),
        Mistake(
            "plan --now don't", "invalid value `don't` for `--now`",
            "Write an instant of ISO 8601, such as `2026-11-21T06:00:00Z`."),
        Mistake(
            "export --max-shrink much", "invalid value `much` for `--max-shrink`",
            "Write a percentage from `0%` to `100%`."),
        Mistake(
            "run --all x --shard 3", "invalid value `3` for `--shard`",
            "Write the number of the shard and the number of all shards, such as `1/8`."),
        Mistake("run --baseline two", "invalid value `two` for `--baseline`", "Write a whole number."),
        Mistake(
            "run --format xml", "invalid value `xml` for `--format`",
            "Use one of `text`, `json`, `junit`, `github` or `html`."),
        Mistake("export -o", "missing value for `-o`", "Run `godwit export --help`."),
        Mistake("inspect", "missing argument `<path>`", "Run `godwit inspect --help`."),
        Mistake("run -q -v", "`--quiet` and `--verbose` can't both be given", "Use one of the two."),
    ]

    @Test("a usage error is one line for the problem and one line for the next step", arguments: mistakes)
    func mistake(_ mistake: Mistake) throws {
        let scene = try Scene()
        let finished = try scene.startBare(mistake.words.split(separator: " ").map(String.init)).finish()
        #expect(finished.code == 64)
        #expect(finished.output.isEmpty)
        #expect(finished.errorLines == ["godwit: error: \(mistake.error)", "hint: \(mistake.hint)"])
    }

    @Test("a usage error as JSON is the error object")
    func json() throws {
        let scene = try Scene()
        let finished = try scene.startBare(["verfy", "--json"]).finish()
        #expect(finished.code == 64)
        let error = try JSONValue(finished.errors)
        #expect(error["message"]?.string == "unknown command `verfy`")
        #expect(error["hint"]?.string == "Did you mean `verify`?")
    }
}
