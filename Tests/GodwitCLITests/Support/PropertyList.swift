import Foundation
import Testing

/// Property lists as Foundation reads them: a second reader for what Godwit wrote.
enum PropertyList {
    static func read(_ path: String) throws -> [String: Any] {
        let list = try PropertyListSerialization.propertyList(
            from: Data(contentsOf: URL(filePath: path)), format: nil)
        return try #require(list as? [String: Any])
    }
}
