import Libc
import Foundation
import GodwitTestSupport
import Testing

/// A folder of containers, and commands that run on all of them.
struct FleetFolder {
    let scene: Scene
    let names: [String]

    /// Copies of a sample container, named `a`, `b`, `c` and so on.
    init(_ count: Int, _ sample: Scene.Sample = .container) throws {
        scene = try Scene(sample)
        names = (0..<count).map { String(UnicodeScalar(UInt8(97 + $0))) }
        try scene.folder.makeFolder("fleet")
        for name in names {
            try FileManager.default.copyItem(atPath: scene.container, toPath: scene.folder["fleet/" + name])
        }
    }

    var path: String { scene.folder["fleet"] }

    /// The path of a container's file, relative to the scene's folder.
    func file(_ name: String, of container: String) -> String { "fleet/\(container)/\(name)" }

    /// Starts a command on all containers.
    func start(_ command: String, _ arguments: String..., environment: [String: String] = [:]) throws -> Invocation {
        let all = [command, "--all", path, "-m", scene.manifest, "--now", Scene.now] + arguments
        return try scene.startBare(all, environment: environment)
    }

    func journal(_ name: String) throws -> [JSONValue] {
        try scene.folder.text(of: name).split(separator: "\n").map { try JSONValue(Array($0.utf8)) }
    }

    /// The containers in a journal, in the order of its lines.
    func journaled(_ name: String) throws -> [String] {
        try journal(name).compactMap { $0["messageType"] == "container" ? $0["entry", "container"]?.string : nil }
    }

    /// The process IDs of the workers that a process started.
    func workers(of process: Int32) -> [Int32] {
        let children = try? String(contentsOfFile: "/proc/\(process)/task/\(process)/children", encoding: .utf8)
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task")) ?? []
        let all = threads.compactMap {
            try? String(contentsOfFile: "/proc/\(process)/task/\($0)/children", encoding: .utf8)
        }
        return ((children.map { [$0] } ?? []) + all).joined(separator: " ").split(separator: " ").compactMap {
            Int32($0)
        }
        .reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }
}
