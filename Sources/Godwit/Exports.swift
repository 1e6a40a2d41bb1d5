// Whoever imports Godwit sees the values it speaks in: manifests, reports, errors.
@_exported public import GodwitModel
