internal import GodwitModel

/// A page that needs nothing else: no script, no font, no picture from elsewhere, and so nothing that could be fetched.
///
/// The policy in its head says so to the browser as well: nothing that a report holds can run or call home.
struct Page: Sendable {
    /// `godwit plan`.
    var command: String
    /// The subject of the page: the app.
    var subject: String
    /// Where that is: the container.
    var place: String?
    var symbol: Symbol
    var verdict: String
    /// The next action.
    var hint: String?
    /// Short names and values below the verdict.
    var facts: [(name: String, value: String)] = []
    var sections: [PageSection] = []

    /// The document, a newline at its end.
    var html: String {
        let title = "\(command): \(subject)"
        var page: Markup = """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <meta name="referrer" content="no-referrer">
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; \
            base-uri 'none'; form-action 'none'">
            <title>\(title)</title>

            """
        page += Markup(ours: "<style>\n\(PageStyle.css)</style>\n")
        page += "</head>\n<body>\n<a class=\"skip\" href=\"#report\">Skip to the report</a>\n"
        page += header
        page += navigation
        page += "<main id=\"report\">\n"
        page += sections.map(\.markup).joined()
        page += "</main>\n<footer><p>Written by Godwit \(GodwitVersion.current). "
        page += "Nothing on this page is loaded from anywhere.</p></footer>\n</body>\n</html>\n"
        return page.text
    }

    private var header: Markup {
        var markup: Markup = "<header>\n<p class=\"eyebrow\">\(command)</p>\n<h1>\(subject)</h1>\n"
        if let place { markup += "<p class=\"place\"><code>\(place)</code></p>\n" }
        markup += "<div class=\"verdict \(symbol.tone)\">\(symbol.mark)<p>\(verdict)"
        if let hint { markup += "<span class=\"hint\">\(hint)</span>" }
        markup += "</p></div>\n"
        guard !facts.isEmpty else { return markup + "</header>\n" }
        markup += "<dl class=\"facts\">\n"
        for (name, value) in facts { markup += "<div><dt>\(name)</dt><dd>\(value)</dd></div>\n" }
        return markup + "</dl>\n</header>\n"
    }

    private var navigation: Markup {
        guard sections.count > 1 else { return "" }
        let items = sections.map { "<li><a href=\"#\($0.identifier)\">\($0.title)</a></li>\n" as Markup }
        return "<nav aria-label=\"Sections\">\n<ul>\n\(items.joined())</ul>\n</nav>\n"
    }
}

/// A part of a page with a heading.
struct PageSection: Sendable {
    /// Lower-case ASCII, once to a page.
    var identifier: String
    var title: String
    /// A sentence below the heading.
    var lead: String?
    var body: Markup

    init(_ identifier: String, _ title: String, lead: String? = nil, _ body: Markup) {
        (self.identifier, self.title, self.lead, self.body) = (identifier, title, lead, body)
    }

    var markup: Markup {
        var markup: Markup = "<section aria-labelledby=\"\(identifier)\">\n<h2 id=\"\(identifier)\">\(title)</h2>\n"
        if let lead { markup += "<p>\(lead)</p>\n" }
        return markup + body + "</section>\n"
    }
}

extension Symbol {
    /// Its class.
    var tone: Markup {
        switch self {
        case .good: "good"
        case .item: "item"
        case .caution: "caution"
        case .bad: "bad"
        case .pointer: "pointer"
        }
    }

    /// The text for screen readers.
    var spoken: String {
        switch self {
        case .good: "Good: "
        case .item: "Nothing to do: "
        case .caution: "Caution: "
        case .bad: "Failed: "
        case .pointer: "Planned: "
        }
    }

    /// The sign in its color, with its word for those who do not see it.
    var mark: Markup {
        "<span class=\"sign \(tone)\" aria-hidden=\"true\">\(rawValue)</span><span class=\"hidden\">\(spoken)</span>"
    }
}
