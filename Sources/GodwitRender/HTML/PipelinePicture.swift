internal import GodwitModel

/// Stores as boxes, and between them what flows from one to the next.
///
/// Drawn twice: next to each other, and one below the other for a phone. Where a flow is wider, more flows: its width
/// grows with the number of digits.
struct PipelinePicture: Sendable {
    /// A store, or what takes its place.
    struct Box: Sendable {
        var name: String
        /// The file, its folders left out.
        var file: String?
        var count: Int64?
        /// The counted thing: `record`.
        var thing = "record"
        var note: String?
        var tone: Symbol = .item
        /// Whether the report does not include it.
        var isIdle = false
        /// The data that is set aside here.
        var left: [String] = []
    }

    /// The data that moves from one box to the next.
    struct Flow: Sendable {
        /// The stage.
        var name: String
        var count: Int64?
        var hasFailed = false
    }

    var boxes: [Box]
    var flows: [Flow]
    /// The same in words.
    var alternative: String

    /// The figure, both ways.
    var markup: Markup { "<figure>\n\(broad)\(tall)</figure>\n" }

    private static let gap = 104
    private static let height = 138

    private func start(_ kind: Markup, _ width: Int, _ height: Int, largest: Int) -> Markup {
        """
        <svg class="picture \(kind)" viewBox="0 0 \(width) \(height)" style="max-width: \(largest)px" \
        role="img" aria-labelledby="\(kind)-picture">
        <title id="\(kind)-picture">\(alternative)</title>

        """
    }

    // MARK: Next to each other

    private var broad: Markup {
        let width = min(240, (1008 - (boxes.count - 1) * Self.gap) / max(1, boxes.count))
        let whole = boxes.count * width + (boxes.count - 1) * Self.gap
        let lines = boxes.map(\.left.count).max() ?? 0
        var svg = start(
            "broad", whole, Self.height + 2 + (lines > 0 ? 30 + 17 * lines : 0), largest: whole)
        for (index, flow) in flows.enumerated() where index + 1 < boxes.count {
            let x = index * (width + Self.gap) + width
            svg += broadFlow(flow, from: x, isIdle: boxes[index].isIdle || boxes[index + 1].isIdle)
        }
        for (index, box) in boxes.enumerated() {
            svg += broadBox(box, x: index * (width + Self.gap), width: width)
        }
        return svg + "</svg>\n"
    }

    private func broadBox(_ box: Box, x: Int, width: Int) -> Markup {
        let columns = (width - 28) / 8
        var svg: Markup = "<rect class=\"box \(box.tone.tone)\(idle(box))\" x=\"\(x + 1)\" y=\"1\""
        svg += " width=\"\(width - 2)\" height=\"\(Self.height - 2)\" rx=\"10\"/>\n"
        svg += label("name", x + 16, 28, box.name)
        if let file = box.file { svg += label("code muted", x + 16, 47, file.escapingControls.shortened(to: columns)) }
        if let count = box.count { svg += label("figure", x + 16, 86, count.grouped) }
        let below = [box.unit, box.note].compactMap(\.self)
        for (index, text) in below.enumerated() { svg += label("muted", x + 16, 104 + index * 16, text) }
        guard !box.left.isEmpty else { return svg }
        let middle = x + 21
        svg += "<path class=\"drain\" d=\"M\(middle) \(Self.height)v18m-4 -5l4 5l4 -5\"/>\n"
        for (index, text) in box.left.enumerated() {
            svg += label("muted", x + 16, Self.height + 36 + index * 17, text)
        }
        return svg
    }

    private func broadFlow(_ flow: Flow, from x: Int, isIdle: Bool) -> Markup {
        let (end, middle) = (x + Self.gap - 6, 66)
        var svg: Markup
        if let count = flow.count, count > 0, !isIdle, !flow.hasFailed {
            let half = Self.halfWidth(count)
            svg = "<path class=\"flow\" d=\"M\(x + 6) \(middle - half)H\(end - half - 2)"
            svg += "L\(end) \(middle)L\(end - half - 2) \(middle + half)H\(x + 6)Z\"/>\n"
        } else {
            svg = "<path class=\"none\(failed(flow))\" d=\"M\(x + 6) \(middle)H\(end)\"/>\n"
        }
        let center = x + Self.gap / 2
        svg += centered("name", center, 40, flow.name)
        if flow.hasFailed {
            svg += centered("", center, 102, "failed")
        } else if let count = flow.count {
            svg += centered("", center, 102, count.grouped) + centered("muted", center, 118, flow.unit)
        }
        return svg
    }

    // MARK: One below the other

    private var tall: Markup {
        let gap = 58
        var tops: [Int] = []
        var end = 0
        for box in boxes {
            tops.append(end)
            end += Self.tallHeight(box) + gap
        }
        var svg = start("tall", 320, max(0, end - gap) + 2, largest: 384)
        for (index, flow) in flows.enumerated() where index + 1 < boxes.count {
            let isIdle = boxes[index].isIdle || boxes[index + 1].isIdle
            svg += tallFlow(flow, y: tops[index + 1] - gap, isIdle: isIdle)
        }
        for (box, top) in zip(boxes, tops) { svg += tallBox(box, y: top) }
        return svg + "</svg>\n"
    }

    /// The box of a store includes the data that was set aside.
    private static func tallHeight(_ box: Box) -> Int { 84 + 18 * packed(box.left).count }

    private func tallBox(_ box: Box, y: Int) -> Markup {
        var svg: Markup = "<rect class=\"box \(box.tone.tone)\(idle(box))\" x=\"1\" y=\"\(y + 1)\""
        svg += " width=\"318\" height=\"\(Self.tallHeight(box) - 2)\" rx=\"10\"/>\n"
        svg += label("name", 16, y + 29, box.name)
        if let file = box.file { svg += label("code muted", 16, y + 49, file.escapingControls.shortened(to: 22)) }
        if let note = box.note { svg += label("muted", 16, y + 69, note) }
        if let count = box.count {
            svg += "<text class=\"figure\" x=\"304\" y=\"\(y + 42)\" text-anchor=\"end\">\(count.grouped)</text>\n"
            svg += "<text class=\"muted\" x=\"304\" y=\"\(y + 62)\" text-anchor=\"end\">\(box.unit ?? "")</text>\n"
        }
        for (index, line) in Self.packed(box.left).enumerated() {
            svg += label("muted", 16, y + 87 + 18 * index, "↳ \(line)")
        }
        return svg
    }

    private func tallFlow(_ flow: Flow, y: Int, isIdle: Bool) -> Markup {
        let (start, end, middle) = (y + 6, y + 52, 36)
        var svg: Markup
        if let count = flow.count, count > 0, !isIdle, !flow.hasFailed {
            let half = Self.halfWidth(count)
            svg = "<path class=\"flow\" d=\"M\(middle - half) \(start)V\(end - half - 2)"
            svg += "L\(middle) \(end)L\(middle + half) \(end - half - 2)V\(start)Z\"/>\n"
        } else {
            svg = "<path class=\"none\(failed(flow))\" d=\"M\(middle) \(start)V\(end)\"/>\n"
        }
        svg += label("name", 72, y + 34, flow.name)
        if flow.hasFailed {
            svg += "<text x=\"304\" y=\"\(y + 34)\" text-anchor=\"end\">failed</text>\n"
        } else if let count = flow.count {
            svg += "<text x=\"304\" y=\"\(y + 34)\" text-anchor=\"end\">\(count.grouped) \(flow.unit)</text>\n"
        }
        return svg
    }

    /// At most two lines that fit into a box.
    private static func packed(_ words: [String]) -> [String] {
        var lines: [String] = []
        for word in words {
            if let last = lines.last, "\(last), \(word)".displayWidth <= 36 {
                lines[lines.count - 1] = "\(last), \(word)"
            } else {
                lines.append(word)
            }
        }
        guard lines.count > 2 else { return lines }
        return [lines[0], lines.dropFirst().joined(separator: ", ").shortened(to: 36)]
    }

    // MARK: Pieces

    private func label(_ kind: Markup, _ x: Int, _ y: Int, _ text: String) -> Markup {
        "<text class=\"\(kind)\" x=\"\(x)\" y=\"\(y)\">\(text)</text>\n"
    }

    private func centered(_ kind: Markup, _ x: Int, _ y: Int, _ text: String) -> Markup {
        "<text class=\"\(kind)\" x=\"\(x)\" y=\"\(y)\" text-anchor=\"middle\">\(text)</text>\n"
    }

    private func idle(_ box: Box) -> Markup { box.isIdle ? " idle" : "" }

    private func failed(_ flow: Flow) -> Markup { flow.hasFailed ? " bad" : "" }

    /// 3 for a few, 13 for millions.
    private static func halfWidth(_ count: Int64) -> Int { min(14, 2 + 2 * (String(count).count - 1) + 1) }
}

extension PipelinePicture.Box {
    /// `records`, or `record` of one; nil if nothing is counted.
    fileprivate var unit: String? { count.map { $0 == 1 ? thing : thing + "s" } }
}

extension PipelinePicture.Flow {
    /// `records`, or `record` of one.
    fileprivate var unit: String { count == 1 ? "record" : "records" }
}
