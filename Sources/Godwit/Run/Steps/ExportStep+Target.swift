internal import GodwitFiles
internal import GodwitModel
internal import GodwitExport

/// Which store is exported, and to which path.
extension ExportStep {
    /// The export of the store that was asked for.
    ///
    /// - Parameter localFault: why the local store can't be opened, if that is known.
    func exportChosen(
        _ export: ExportOptions, to path: String?, besides localFault: GodwitError? = nil
    ) throws(GodwitError) -> Export {
        // A damaged cloud store must not stop an export of the local store that was asked for by name.
        let fault = export.store == .local ? try StatusReading(stores).cloudStatus(checkingIntegrity: true).fault : nil
        let watch = fault == nil && localFault == nil ? try BackgroundStoreCheck(scope) : nil
        let stores = StoreOpener(scope, watch)
        do throws(GodwitError) {
            let survey = try SurveyReading(stores).read(
                checkingIntegrity: watch == nil, besides: fault, local: localFault)
            let role = try roleToExport(export, survey)
            return try ExportStep(stores).export(role, survey, to: path, export)
        } catch {
            try watch?.requireSound(after: error)
            throw error
        }
    }

    /// Why the local store can't be opened; nil if it can.
    func localFault() throws(GodwitError) -> GodwitError? {
        guard try files.local.exists() else { return nil }
        do throws(GodwitError) {
            _ = try stores.openLocal(checkingIntegrity: true)
            return nil
        } catch {
            guard error.isStoreFault else { throw error }
            return error
        }
    }

    /// The store that is exported; 66 if there is none.
    private func roleToExport(_ export: ExportOptions, _ survey: ContainerSurvey) throws(GodwitError) -> StoreRole {
        guard let role = export.store ?? survey.activeStore else {
            throw GodwitError(
                .export, .noInput,
                "no store to export in `\(files.container.given)`: `\(files.local.name)` and "
                    + "`\(files.cloud.name)` do not exist",
                hint: "Check \(name: .container), or `local:` and `cloud:` in the manifest.")
        }
        if role == .local, let fault = survey.localFault { throw fault }
        guard try files[role].exists() else {
            throw GodwitError(
                .export, .noInput,
                "no \(role.rawValue) store in `\(files.container.given)`: `\(files[role].name)` does not exist",
                hint: "Remove \(name: .store) to export the active store.")
        }
        return role
    }

    /// Throws (73) if there is no folder for a new file: a dry run makes no file, and would not notice it.
    private static func requireFolder(of path: String) throws(GodwitError) {
        let folder = PathText.directory(of: path)
        guard try FileStatus.of(folder)?.isDirectory != true else { return }
        throw GodwitError(
            .export, .cannotCreate, "can't create `\(path)`: no folder `\(folder)`",
            hint: "Make the folder first, or mount its volume.")
    }

    /// Throws (73) if the file exists, except if it is an export of this app that may be replaced.
    func requireWritable(_ path: String, replacing: Bool) throws(GodwitError) {
        try OwnFiles.requireLasting(path, stage: .export)
        try files.requireUnreserved(path, stage: .export)
        guard let status = try FileStatus.ofLink(path, unusable: .cannotCreate) else {
            return try Self.requireFolder(of: path)
        }
        if let kind = status.kindBesideFiles {
            throw GodwitError(
                .export, .cannotCreate, "`\(path)` is \(kind.name); it is not replaced", hint: kind.hint)
        }
        guard let app = try ExportStage.appOfExport(at: path) else {
            throw GodwitError(
                .export, .cannotCreate, "output file `\(path)` already exists and is not an export",
                hint: "Choose another name.")
        }
        guard app.utf8.elementsEqual(manifest.app.utf8) else {
            throw GodwitError(
                .export, .cannotCreate,
                "output file `\(path)` already exists: it is an export of another app, \(app)",
                hint: "Choose another name.")
        }
        guard !replacing else { return }
        throw GodwitError(
            .export, .cannotCreate, "output file `\(path)` already exists: it is an export of this app",
            hint: "Choose another name, or add \(name: .replace).")
    }
}

extension FileStatus {
    /// The type of a path that is not a regular file, and the hint; nil for a regular file.
    fileprivate var kindBesideFiles: (name: String, hint: String)? {
        if isRegularFile { return nil }
        if isSymbolicLink { return ("a symbolic link", "Name the target of the link, or choose another name.") }
        if isDirectory { return ("a folder", "Name a file in it, or choose another name.") }
        return ("not a regular file", "Choose another name, or write to a pipe with `-o -`.")
    }
}
