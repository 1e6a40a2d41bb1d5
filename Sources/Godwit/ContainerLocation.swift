internal import GodwitFiles
internal import GodwitModel
public import FoundationLite

/// The folder with the data of one app.
public struct ContainerLocation: Sendable {
    private enum Source {
        case folder(String, groups: [String])
        case app(groups: [String])
    }

    private let source: Source

    /// A folder with the layout of an app's container, or an `.xcappdata` bundle.
    ///
    /// - Parameters:
    ///   - url: the folder.
    ///   - groups: further folders with files of the app, such as those of App Groups.
    public static func directory(_ url: URL, groups: [URL] = []) -> ContainerLocation {
        path(url.path, groups: groups.map(\.path))
    }

    /// The same by paths, in any bytes that the system allows.
    package static func path(_ path: String, groups: [String] = []) -> ContainerLocation {
        ContainerLocation(source: .folder(path, groups: groups))
    }

    /// The container of the app that runs this code: its home folder.
    ///
    /// `Migration.init` throws 64 in a process without a sandbox, because its home is the user's folder. It also throws
    /// 64 for an App Group that the app may not use.
    ///
    /// - Parameter groups: identifiers of App Groups, such as `group.com.example.trainlog`.
    public static func app(groups: [String] = []) -> ContainerLocation {
        ContainerLocation(source: .app(groups: groups))
    }

    /// The folder, and those of the groups.
    func folders() throws(GodwitError) -> (container: String, groups: [String]) {
        switch source {
        case .folder(let path, let groups): return (path, groups)
        case .app(let groups):
            let home = try SystemEnvironment.sandbox()
            var folders: [String] = []
            for group in groups { folders.append(try Self.folder(ofGroup: group)) }
            return (home, folders)
        }
    }

    private static func folder(ofGroup identifier: String) throws(GodwitError) -> String {
        #if canImport(Darwin)
            let url = FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: identifier)
            if let url { return url.path }
        #endif
        throw GodwitError(
            .container, .usage, "this app has no App Group `\(identifier)`",
            hint: "Add the App Group to the entitlements of the app.")
    }
}
