internal import GodwitModel

/// One stage as text: a line of what happened, and the details that matter.
struct StageText: Sendable {
    var symbol: Symbol
    var stage: Stage
    var headline: String
    var details: [TextLine] = []

    /// Columns in front of a headline: a sign, and the longest name of a stage of the pipeline.
    static let nameColumns = 8
    /// What a stage that failed says of itself: the reason is the error's to tell.
    static let failed = "failed; nothing of this stage was committed"

    init(_ stage: Stage, _ symbol: Symbol, _ headline: String, details: [TextLine] = []) {
        self.stage = stage
        self.symbol = symbol
        self.headline = headline
        self.details = details
    }
}

extension TextPage {
    /// Adds a stage's line and its details.
    mutating func add(_ stage: StageText) {
        let paint: Paint = stage.symbol == .bad ? .bad : .plain
        let name = Painted(stage.stage.rawValue, .strong, padded: StageText.nameColumns)
        add(TextLine([stage.symbol.painted, name], stage.headline, paint))
        for line in stage.details { add(line) }
    }
}

/// Tells what was done from what would be done: `adopted`, `would be adopted`.
struct Tense: Sendable {
    let planned: Bool

    /// The participle as it is, or behind `would be`.
    func passive(_ participle: String) -> String { planned ? "would be \(participle)" : participle }
}
