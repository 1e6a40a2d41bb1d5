/// How pages look: one column, system fonts, figures that line up, both color schemes, phone and paper.
///
/// It is one string of our own, which no report has a part in.
enum PageStyle {
    /// The whole style sheet.
    static var css: String { [PageColors.css, frame, parts, tables, pictures, media].joined(separator: "\n") + "\n" }

    private static let frame = """
        * { box-sizing: border-box; }
        html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; scroll-behavior: smooth; }
        body {
          margin: 0 auto; padding: 3rem 1.5rem 4rem; max-width: 66rem;
          background: var(--ground); color: var(--text);
          font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", sans-serif;
          font-variant-numeric: tabular-nums; overflow-wrap: anywhere;
        }
        h1, h2, h3, p, ul, ol, dl, dd, figure { margin: 0; padding: 0; }
        h1 { font-size: 2rem; line-height: 1.2; letter-spacing: -0.02em; font-weight: 650; }
        h2 { font-size: 1.125rem; line-height: 1.3; letter-spacing: -0.005em; font-weight: 650; }
        h3 { font-size: 0.9375rem; line-height: 1.4; font-weight: 600; }
        ul, ol { list-style: none; }
        a { color: var(--accent); text-underline-offset: 0.15em; }
        :focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 3px; }
        code, .code {
          font-family: ui-monospace, "SF Mono", SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace;
          font-size: 0.875em;
        }
        .muted { color: var(--muted); }
        .hidden {
          position: absolute; width: 1px; height: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%);
          white-space: nowrap;
        }
        .skip { position: absolute; left: 1.5rem; top: -4rem; padding: 0.5rem 0.75rem; background: var(--ground); }
        .skip:focus { top: 0.75rem; }
        main > section { margin-top: 3rem; }
        main > section > h2 { margin-bottom: 0.375rem; }
        main > section > h2 + p { margin-bottom: 1rem; color: var(--muted); max-width: 44rem; }
        main > section > h2:not(:has(+ p)) { margin-bottom: 1rem; }
        footer {
          margin-top: 4rem; padding-top: 1rem; border-top: 1px solid var(--line); color: var(--muted);
          font-size: 0.875rem;
        }
        """

    private static let parts = """
        .eyebrow { color: var(--muted); font-size: 0.875rem; margin-bottom: 0.25rem; }
        .place { margin-top: 0.375rem; color: var(--muted); }
        .verdict {
          margin-top: 1.5rem; padding: 0.875rem 1rem; border-radius: 10px; display: flex; gap: 0.75rem;
          background: var(--raised); font-weight: 550;
        }
        .verdict .hint { display: block; margin-top: 0.25rem; font-weight: 400; }
        .verdict.good { background: var(--good-soft); }
        .verdict.caution { background: var(--caution-soft); }
        .verdict.bad { background: var(--bad-soft); }
        .sign { flex: none; width: 1.25em; text-align: center; font-weight: 700; }
        .sign.good { color: var(--good); }
        .sign.caution { color: var(--caution); }
        .sign.bad { color: var(--bad); }
        .sign.pointer { color: var(--accent); }
        .sign.item { color: var(--muted); }
        .facts { display: flex; flex-wrap: wrap; gap: 0.75rem 2.25rem; margin-top: 1.25rem; font-size: 0.875rem; }
        .facts dt { color: var(--muted); }
        nav { margin-top: 2rem; border-block: 1px solid var(--line); }
        nav ul { display: flex; flex-wrap: wrap; gap: 0.25rem 1.5rem; padding: 0.625rem 0; font-size: 0.875rem; }
        nav a { color: var(--text); text-decoration: none; }
        nav a:hover { color: var(--accent); text-decoration: underline; }
        .stages li { display: flex; gap: 0.75rem; padding: 0.625rem 0; border-top: 1px solid var(--line); }
        .stages li:first-child { border-top: 0; }
        .stages .name { flex: none; width: 4.5rem; font-weight: 600; }
        .stages ul li { border: 0; padding: 0.125rem 0; color: var(--muted); font-size: 0.9375rem; }
        .notes li { display: flex; gap: 0.75rem; padding: 0.375rem 0; }
        .groups { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 26rem), 1fr)); gap: 1rem; }
        .groups > li { padding: 0.875rem 1rem; border: 1px solid var(--line); border-radius: 10px; }
        .groups h3 code { font-weight: 500; }
        .groups p { color: var(--muted); font-size: 0.875rem; margin-bottom: 0.5rem; }
        .groups ul li { display: flex; flex-wrap: wrap; column-gap: 0.5rem; align-items: baseline; padding: 0.1875rem 0; font-size: 0.875rem; }
        .groups ul code { flex: 1 1 9rem; }
        .groups ul .when { margin-left: auto; color: var(--muted); }
        .groups .kept code { font-weight: 650; }
        .diff { font-size: 0.8125rem; line-height: 1.6; white-space: pre; width: max-content; min-width: 100%; }
        .diff li { padding: 0 0.75rem; }
        .diff .part { color: var(--muted); padding-top: 0.5rem; }
        .diff .expected { color: var(--bad); background: var(--bad-soft); }
        .diff .found { color: var(--good); background: var(--good-soft); }
        .rest { margin-top: 0.75rem; color: var(--muted); font-size: 0.9375rem; }
        details { margin-top: 1rem; }
        summary { cursor: pointer; color: var(--accent); font-size: 0.9375rem; }
        details[open] > summary { margin-bottom: 0.75rem; }
        """

    private static let tables = """
        .scroll { overflow-x: auto; }
        table { border-collapse: collapse; width: 100%; font-size: 0.9375rem; overflow-wrap: break-word; }
        th, td { padding: 0.5rem 1rem 0.5rem 0; text-align: left; vertical-align: top; }
        thead th {
          color: var(--muted); font-weight: 500; font-size: 0.8125rem; border-bottom: 1px solid var(--line);
          white-space: nowrap;
        }
        tbody tr + tr > * { border-top: 1px solid var(--line); }
        tbody th { font-weight: 500; min-width: 8rem; overflow-wrap: anywhere; }
        .number { text-align: right; white-space: nowrap; }
        tr > :last-child { padding-right: 0; }
        .number + :not(.number) { padding-left: 1rem; }
        figure + .scroll { margin-top: 1rem; }
        .silent { width: 2.25rem; }
        td.zero { color: var(--muted); }
        .wide { min-width: 40rem; }
        .wider { min-width: 46rem; }
        .date { white-space: nowrap; }
        .chip { white-space: nowrap; }
        .chip i { display: inline-block; width: 0.625rem; height: 0.625rem; margin-right: 0.4rem; border-radius: 2px; }
        .share { display: block; width: 100%; height: 0.75rem; border-radius: 3px; overflow: hidden; }
        .legend { display: flex; flex-wrap: wrap; gap: 0.25rem 1.5rem; margin: 0.75rem 0 1.25rem; font-size: 0.875rem; }
        .legend b { font-weight: 600; }
        """
        + (1...8).map { "\n.p\($0) { fill: var(--part-\($0)); background: var(--part-\($0)); }" }.joined()

    private static let pictures = """
        figure svg { display: block; width: 100%; height: auto; }
        figcaption { margin-top: 0.75rem; color: var(--muted); font-size: 0.875rem; }
        .picture text { fill: var(--text); font-size: 13px; font-family: inherit; }
        .picture .muted { fill: var(--muted); }
        .picture .name { font-weight: 600; font-size: 14px; }
        .picture .figure { font-weight: 650; font-size: 24px; letter-spacing: -0.02em; }
        .picture .code { font-size: 12px; font-family: ui-monospace, "SF Mono", Menlo, Consolas, monospace; }
        .picture .box { fill: var(--raised); stroke: var(--line); }
        .picture .box.good { stroke: var(--good); }
        .picture .box.bad { stroke: var(--bad); }
        .picture .box.idle { fill: none; stroke-dasharray: 4 4; }
        .picture .flow { fill: var(--flow); }
        .picture .none { stroke: var(--muted); stroke-dasharray: 4 4; fill: none; }
        .picture .none.bad { stroke: var(--bad); stroke-width: 2; }
        .picture .drain { stroke: var(--muted); fill: none; }
        figure .tall { display: none; }
        .bars { height: 8.5rem; border-bottom: 1px solid var(--line); }
        .bars svg { height: 100%; }
        .bars .done, .swatch .done { fill: var(--flow); }
        .bars .idle, .swatch .idle { fill: var(--part-4); }
        .bars .caution, .swatch .caution { fill: var(--part-5); }
        .bars .failed, .swatch .failed { fill: var(--bad-soft); stroke: var(--bad); stroke-width: 2; vector-effect: non-scaling-stroke; }
        .axis { display: flex; justify-content: space-between; gap: 1rem; color: var(--muted); font-size: 0.8125rem; }
        figure .swatch {
          display: inline-block; width: 0.75rem; height: 0.75rem; margin-right: 0.4rem; vertical-align: -1px;
        }
        """

    private static let media = """
        @media (max-width: 44rem) {
          body { padding: 1.5rem 1rem 3rem; }
          h1 { font-size: 1.625rem; }
          figure .broad { display: none; }
          figure .tall { display: block; }
          main > section { margin-top: 2.25rem; }
          .stages li { flex-wrap: wrap; gap: 0.125rem 0.5rem; }
          .stages .name { width: auto; }
          .stages .what { flex-basis: 100%; padding-left: 1.75rem; }
          .wide, .wider { min-width: 0; }
          table, tbody, tr, td, tbody th { display: block; }
          thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
          tbody tr { padding: 0.5rem 0; }
          tbody tr + tr { border-top: 1px solid var(--line); }
          tbody tr + tr > * { border-top: 0; }
          td, tbody th { padding: 0.0625rem 0; overflow-wrap: anywhere; }
          td[data-name]::before {
            content: attr(data-name) " "; content: attr(data-name) " " / ""; margin-right: 0.25rem;
            color: var(--muted); font-size: 0.8125rem;
          }
          td.silent { float: left; width: 1.75rem; }
          td.silent ~ td { margin-left: 1.75rem; }
          td.silent + th { overflow: hidden; }
          .number, .number + :not(.number) { text-align: left; padding-left: 0; }
          td.number { display: inline-block; margin-right: 1.25rem; }
          td.silent ~ td.number { margin-left: 1.75rem; margin-right: 0; }
        }
        @media (prefers-reduced-motion: reduce) { html { scroll-behavior: auto; } }
        @media print {
          :root {
            color-scheme: light;
        """
        + PageColors.all.map { "\n    --\($0.name): \($0.light);" }.joined() + """

              }
              body { padding: 0; max-width: none; font-size: 10pt; }
              nav, .skip { display: none; }
              .scroll { overflow: visible; }
              .wide, .wider { min-width: 0; }
              section, .groups > li, tr { break-inside: avoid; }
              main > section { break-inside: auto; }
              .verdict, .share, .chip i, .bars svg { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
            }
            """
}
