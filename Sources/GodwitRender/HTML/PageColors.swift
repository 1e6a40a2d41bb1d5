/// The colors of pages, in both schemes.
///
/// Each is chosen against the grounds it is on: text has a contrast of at least 4.5 to 1, what is drawn 3 to 1
/// (<https://www.w3.org/TR/WCAG22/#contrast-minimum>, `#non-text-contrast`). A test computes it from the finished page.
enum PageColors {
    /// Name, in light, in dark.
    static let all: [(name: String, light: String, dark: String)] = [
        ("ground", "#ffffff", "#101418"),
        ("raised", "#f5f7f9", "#181d23"),
        ("line", "#d5dbe1", "#2e3740"),
        ("text", "#171c21", "#e8ecf0"),
        ("muted", "#535e69", "#a0acb8"),
        ("accent", "#0a5a9c", "#79b8ff"),
        ("good", "#0f6b3a", "#56c98a"),
        ("good-soft", "#e3f4ea", "#13291d"),
        ("caution", "#805300", "#e6b450"),
        ("caution-soft", "#fdf3dc", "#2b2312"),
        ("bad", "#b3202f", "#ff8d87"),
        ("bad-soft", "#fdeaeb", "#311a1b"),
        ("flow", "#5b8fb9", "#4a7ba6"),
        // Parts of a whole, distinguished by their order and their names as well.
        ("part-1", "#17784a", "#3fae75"),
        ("part-2", "#3f73c8", "#6c9ff0"),
        ("part-3", "#7c5cb8", "#a98be6"),
        ("part-4", "#737e89", "#8b97a3"),
        ("part-5", "#96700b", "#c79a32"),
        ("part-6", "#c23b46", "#f0746f"),
        ("part-7", "#0d7d86", "#35a8b0"),
        ("part-8", "#a1568f", "#cf86bd"),
    ]

    /// The two schemes as custom properties.
    static var css: String {
        let light = all.map { "  --\($0.name): \($0.light);" }.joined(separator: "\n")
        let dark = all.map { "    --\($0.name): \($0.dark);" }.joined(separator: "\n")
        return """
            :root {
              color-scheme: light dark;
            \(light)
            }
            @media (prefers-color-scheme: dark) {
              :root {
            \(dark)
              }
            }
            """
    }
}
