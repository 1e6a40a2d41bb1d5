// An app that imports Godwit also gets its values: manifests, reports, errors.
@_exported public import GodwitModel
