import GodwitModel
import FoundationLite

/// The JSON form: `{"type":"import","startedAt":…,"endedAt":…|null,"succeeded":…,"error":{"domain":…,"code":…}|null}`.
///
/// Unknown keys are skipped, so that an app may record more. `endedAt` and `error` are optional. `succeeded` is
/// optional while the event is in progress, because it has no meaning then.
extension SyncEvent: Decodable {
    private enum CodingKeys: String, CodingKey {
        case type, startedAt, endedAt, succeeded, error, store
    }

    package init(from decoder: any Decoder) throws {
        let object = try decoder.container(keyedBy: CodingKeys.self)
        phase = try object.decode(SyncPhase.self, forKey: .type)
        store = try object.decodeIfPresent(String.self, forKey: .store)
        startedAt = try object.decode(Instant.self, forKey: .startedAt)
        endedAt = try object.decodeIfPresent(Instant.self, forKey: .endedAt)
        error = try object.decodeIfPresent(SyncError.self, forKey: .error)
        if endedAt == nil {
            succeeded = try object.decodeIfPresent(Bool.self, forKey: .succeeded) ?? false
        } else {
            succeeded = try object.decode(Bool.self, forKey: .succeeded)
        }
    }

}

extension SyncRecord: Decodable {
    private enum CodingKeys: String, CodingKey {
        case type, at, state, store
    }

    /// Reads one object: an event, `{"type":"network|account","at":…,"state":…}`, or
    /// `{"type":"launch","at":…,"store":"local|cloud"}`.
    package init(from decoder: any Decoder) throws {
        let object = try decoder.container(keyedBy: CodingKeys.self)
        func date() throws -> Instant { try object.decode(Instant.self, forKey: .at) }
        func word<Word: RawRepresentable>(_ key: CodingKeys, _ none: Word?) throws -> Word
        where Word.RawValue == String {
            guard let word = Word(rawValue: try object.decode(String.self, forKey: key)),
                word.rawValue != none?.rawValue
            else { throw DecodingError.dataCorruptedError(forKey: key, in: object, debugDescription: "") }
            return word
        }
        switch try object.decode(String.self, forKey: .type) {
        case "network": self = .observation(.network(try word(.state, .unknown), at: try date()))
        case "account": self = .observation(.account(try word(.state, .unknown), at: try date()))
        case "launch": self = .observation(.launch(try word(.store, nil), at: try date()))
        default: self = .event(try SyncEvent(from: decoder))
        }
    }

    /// Reads one line of JSON; throws what is wrong with it, naming keys and never values.
    static func read(line: some Collection<UInt8>) throws(UnreadableLine) -> SyncRecord {
        do {
            return try JSONDecoder().decode(SyncRecord.self, from: Data(line))
        } catch let error as DecodingError {
            throw UnreadableLine(error)
        } catch {
            throw UnreadableLine("is not JSON")
        }
    }
}

extension SyncError: Decodable {
    private enum CodingKeys: String, CodingKey {
        case domain, code
    }

    package init(from decoder: any Decoder) throws {
        let object = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            domain: try object.decode(String.self, forKey: .domain),
            code: try object.decode(Int.self, forKey: .code))
    }
}

/// Why a line cannot be read; continues the phrase "line 3 ".
struct UnreadableLine: Error, Equatable {
    let reason: String

    init(_ reason: String) { self.reason = reason }

    init(_ error: DecodingError) {
        switch error {
        case .keyNotFound(let key, let context):
            self.init("lacks \(Self.name(context.codingPath + [key]))")
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
            self.init(context.codingPath.isEmpty ? "is not a JSON object" : Self.problem(context.codingPath))
        @unknown default:
            self.init("is not an event")
        }
    }

    private static func problem(_ path: [any CodingKey]) -> String {
        let expected =
            switch path.last?.stringValue {
            case "type": "setup, import, export, network, account or launch"
            case "state": "one of its type's words"
            case "store": "a text (for a launch: local or cloud)"
            case "startedAt", "endedAt", "at": "an ISO 8601 instant"
            case "succeeded": "true or false"
            case "code": "a whole number"
            case "domain": "a text"
            default: "an object with domain and code"
            }
        return "has \(name(path)) that is not \(expected)"
    }

    private static func name(_ path: [any CodingKey]) -> String {
        "`" + path.map(\.stringValue).joined(separator: ".") + "`"
    }
}
