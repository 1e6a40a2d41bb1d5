import GodwitTestSupport
import Testing

struct RollbackCommandTests {
    @Test("the backup of another container is refused, also in a dry run, and --other-container accepts it")
    func otherContainer() throws {
        let (scene, other) = (try Scene(), try Scene())
        let report = try scene.godwit("run", "--json", "--backup", scene.folder["backups"]).json()
        let backup = try #require(report["backup", "folder"]?.string)
        for arguments in [["rollback", backup], ["rollback", backup, "-n"]] {
            try other.expectRefusal(65, of: arguments, naming: ["is a backup of another container"])
        }
        let accepted = try other.godwit("rollback", backup, "--other-container", "--json")
        #expect(accepted.code == 0, "\(accepted.errorText)")
        #expect(try accepted.json()["warnings"]?.items.contains { $0["code"] == "otherContainer" } == true)
    }
}
