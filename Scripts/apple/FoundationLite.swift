/// All of Foundation, as on Apple platforms: it has more names than the part that Linux uses.
@_exported public import Foundation
