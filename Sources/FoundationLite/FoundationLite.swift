/// The small part of Foundation (`URL`, `Data`, JSON), which starts faster; all of Foundation on platforms without it.

#if canImport(FoundationEssentials)
    @_exported public import FoundationEssentials
#else
    @_exported public import Foundation
#endif
