import Foundation
import Testing

/// Property lists as Foundation reads them: the other opinion on what Godwit wrote.
enum PropertyList {
    static func read(_ path: String) throws -> [String: Any] {
        let list = try PropertyListSerialization.propertyList(
            from: Data(contentsOf: URL(filePath: path)), format: nil)
        return try #require(list as? [String: Any])
    }
}
