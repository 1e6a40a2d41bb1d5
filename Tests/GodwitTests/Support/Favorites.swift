import FoundationLite
import GodwitPipelineSupport

/// The ways in which apps have kept a list of favourites.
enum Favorites: String, CaseIterable, Sendable {
    case array, jsonText, jsonData, csv, marks, dates, keyedArchive

    /// When a favourite was marked, where the way keeps that.
    static let marked: Int64 = 1_790_000_000

    func value(_ keys: [String]) throws -> Preference {
        switch self {
        case .array: .array(keys.map { .string($0) })
        case .jsonText: .string(try Preference.jsonText(keys))
        case .jsonData: .data(Data(try Preference.jsonText(keys).utf8))
        case .csv: .string(keys.joined(separator: ","))
        case .marks: .dictionary(Dictionary(uniqueKeysWithValues: keys.map { ($0, .bool(true)) }))
        case .dates:
            .dictionary(
                Dictionary(
                    uniqueKeysWithValues: keys.map {
                        ($0, .date(Date(timeIntervalSince1970: Double(Self.marked))))
                    }))
        case .keyedArchive: try Preference.keyedArchive(keys)
        }
    }

    /// Whether a file of this format can hold it.
    func fits(_ format: Preference.Format) -> Bool { format != .json || self != .keyedArchive }
}
