internal import GodwitFiles
package import GodwitModel
internal import GodwitExport

extension Migration {
    /// Exports the active store; synchronous, for the command line.
    ///
    /// - Parameter path: the new file; nil for standard output, to which the finished and checked document is then
    ///   written whole.
    package func export(
        to path: String?, options export: ExportOptions, cancellation: Cancellation = Cancellation(),
        progress: @escaping @Sendable (RunProgress) -> Void = { _ in },
        faultPoint: @escaping @Sendable (FaultPoint) throws(GodwitError) -> Void = { _ throws(GodwitError) in }
    ) throws(GodwitError) -> ExportReport {
        try self.export(to: path, export, makeContext(cancellation, progress, faultPoint))
    }

    func export(
        to path: String?, _ export: ExportOptions, _ context: RunContext
    ) throws(GodwitError) -> ExportReport {
        try context.cancellation.check(.export)
        try export.requireSensible(to: path)
        let container = try Container(location, groups: options.groupContainers)
        try requireOpened(in: container, context)
        let lock = try ContainerLock(container, mode: .shared, context: context)
        let place = lock.place
        let made = try place.explainingFailures { () throws(GodwitError) in
            let stores = try open(container, folders: place, context)
            let step = ExportStep(stores)
            ScratchDirectory.removeAbandoned()
            if let path {
                try step.requireWritable(path, replacing: export.replacesExisting)
                try export.requireBaseKept(path)
            }
            do throws(GodwitError) {
                return try step.exportChosen(export, to: path)
            } catch {
                // A damaged local store must not keep the records of the cloud store from an export.
                guard error.isStoreFault, export.store != .local, try stores.scope.files.cloud.exists(),
                    let fault = try step.localFault()
                else { throw error }
                return try step.exportChosen(export, to: path, besides: fault)
            }
        }
        _ = consume lock
        if let (path, scratch) = made.waiting {
            try withExtendedLifetime(scratch) { () throws(GodwitError) in
                try StandardOutput.write(fileAt: path, stage: .export)
            }
        }
        return made.report
    }

    /// The stores of a command that only reads, which locks nothing.
    func open(_ cancellation: Cancellation) throws(GodwitError) -> StoreOpener {
        let container = try Container(location, groups: options.groupContainers)
        let context = makeContext(cancellation, { _ in })
        try requireOpened(in: container, context)
        return try open(container, folders: .nowhere, context)
    }

    private func open(
        _ container: Container, folders: LockedFolders, _ context: RunContext
    ) throws(GodwitError) -> StoreOpener {
        StoreOpener(
            RunScope(
                manifest: manifest, schemaFiles: schemaFiles,
                files: try ContainerFiles(manifest, in: container, domains: domains), folders: folders,
                options: options, context: context, identifier: context.makeIdentifier(), plan: nil))
    }
}
