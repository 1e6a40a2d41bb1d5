import GodwitTestSupport
import Testing

/// One container of a sample app, and how it is run.
struct AppSample: CustomTestStringConvertible, Sendable {
    let app: SampleApp
    /// The folder of what is expected of it.
    let name: String
    /// What a run of it has to be told.
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

    /// A scene with a copy of the container.
    func makeScene() throws -> Scene {
        let path = name == "container" ? "/container" : "/scenarios/\(name)/container"
        return try Scene(app: app.name, container: path, preferences: app.preferences)
    }

    /// Runs one of the commands that take this sample's options.
    @discardableResult
    func godwit(_ arguments: String..., in scene: Scene) throws -> Invocation.Finished {
        try scene.start(arguments + options).finish()
    }

    /// Runs it once, quietly.
    func run(in scene: Scene, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let finished = try godwit("run", "-q", in: scene)
        try #require(finished.code == 0, "\(finished.errorText)", sourceLocation: sourceLocation)
    }
}
