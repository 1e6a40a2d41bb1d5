// The values of options are Godwit's own types, read by their own rules.

public import ArgumentParser
public import GodwitModel
import GodwitReport

extension Span: ExpressibleByArgument {
    /// Reads `30s`, `5m` …
    public init?(argument: String) { self.init(argument) }

    /// The text it was read from.
    public var defaultValueDescription: String { description }
}

extension Instant: ExpressibleByArgument {
    /// Reads ISO 8601.
    public init?(argument: String) { self.init(iso8601: argument) }
}

extension AccountAvailability: ExpressibleByArgument {}
extension NetworkState: ExpressibleByArgument {}
extension ReportFormat: ExpressibleByArgument {}
