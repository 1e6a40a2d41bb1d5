// Options have values of Godwit's own types, read by their own rules.

public import GodwitModel
internal import GodwitRender
public import ArgumentParser

extension Span: ExpressibleByArgument {
    /// Reads a length of time such as `90s`; a bare number is a number of seconds, as in most tools.
    public init?(argument: String) {
        let isBare = !argument.isEmpty && argument.allSatisfy { $0.isASCII && $0.isNumber }
        self.init(isBare ? argument + "s" : argument)
    }

    /// The text from which it was read.
    public var defaultValueDescription: String { description }
}

extension Instant: ExpressibleByArgument {
    /// Reads ISO 8601.
    public init?(argument: String) { self.init(iso8601: argument) }
}

extension Shard: ExpressibleByArgument {
    /// Reads `I/N`.
    public init?(argument: String) { self.init(argument) }
}

extension StoreRole: ExpressibleByArgument {}
extension ReportFormat: ExpressibleByArgument {}

/// A percentage from 0 to 100, with or without `%`.
struct Percentage: ExpressibleByArgument {
    let value: Int

    init?(argument: String) {
        let digits = argument.hasSuffix("%") ? argument.dropLast() : argument[...]
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let value = Int(digits),
            value <= 100
        else { return nil }
        self.value = value
    }
}
