import GodwitTestSupport
import Testing

/// One container of a sample app, and the options to run it.
struct AppSample: CustomTestStringConvertible, Sendable {
    let app: SampleApp
    /// The name of its folder of expected results.
    let name: String
    /// The options of its runs.
    var options: [String] = []

    var testDescription: String { "\(app.name)/\(name)" }

    /// The samples that a test tries.
    static let tried = GeneratedCases.of(all, few: [all[2], all[4], all[6]])

    static let all = [
        AppSample(app: .luego, name: "container"),
        AppSample(app: .luego, name: "old-release"),
        AppSample(app: .luego, name: "two-devices"),
        AppSample(app: .trendy, name: "container"),
        AppSample(app: .trendy, name: "lost-type", options: ["--allow-orphans"]),
        AppSample(app: .trendy, name: "two-devices"),
        AppSample(app: .deets, name: "container"),
        AppSample(app: .deets, name: "no-preferences"),
        AppSample(app: .deets, name: "two-devices"),
    ]

    func makeScene() throws -> Scene {
        let path = name == "container" ? "/container" : "/scenarios/\(name)/container"
        return try Scene(app: app.name, container: path, preferences: app.preferences)
    }

    /// Runs a command with this sample's options.
    @discardableResult
    func godwit(_ arguments: String..., in scene: Scene) throws -> Invocation.Finished {
        try scene.start(arguments + options).finish()
    }

    /// Runs the sample once, without output.
    func run(in scene: Scene, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let finished = try godwit("run", "-q", in: scene)
        try #require(finished.code == 0, "\(finished.errorText)", sourceLocation: sourceLocation)
    }
}
