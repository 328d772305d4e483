package org.gradwire.conformance.report;

/** Shared HTML elements of the page. */
final class Html {
    static final String HEAD =
            """
            <!doctype html>
            <html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
            <title>Gradwire conformance report</title>
            <style>
            :root { --ink: #1f2933; --soft: #5f6c7b; --line: #e3e8ee; --back: #f7f9fb; --good: #1b7f4b; --goodback: #e6f5ec;
              --bad: #b42318; --badback: #fde8e6; --warn: #8a5a00; --warnback: #fdf3dc; --skip: #5f6c7b; --skipback: #eef2f6; }
            * { box-sizing: border-box; }
            body { font: 15px/1.5 system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; color: var(--ink); background: var(--back); margin: 0; }
            main { max-width: 78rem; margin: 0 auto; padding: 2rem 1.5rem 4rem; }
            h1 { font-size: 1.7rem; margin: 0 0 .25rem; } h2 { font-size: 1.2rem; margin: 2.2rem 0 .6rem; } h3 { font-size: 1rem; margin: 1.4rem 0 .4rem; }
            p { margin: .4rem 0; } .soft, small { color: var(--soft); } small { font-size: .8rem; white-space: nowrap; }
            .cards { display: flex; flex-wrap: wrap; gap: .8rem; margin: 1.2rem 0; }
            .card { background: #fff; border: 1px solid var(--line); border-top: 4px solid var(--good); border-radius: 8px; padding: .7rem 1.1rem; min-width: 12rem; }
            .card.failed { border-top-color: var(--bad); } .card b { font-size: 1.05rem; } .card ul { margin: .3rem 0 0; padding: 0; list-style: none; }
            .wide { overflow-x: auto; background: #fff; border: 1px solid var(--line); border-radius: 8px; }
            table { border-collapse: collapse; width: 100%; }
            th, td { border-bottom: 1px solid var(--line); padding: .3rem .7rem; text-align: left; vertical-align: top; }
            tr:last-child td { border-bottom: 0; } th { background: #eef2f6; font-weight: 600; position: sticky; top: 0; }
            td.id { font-weight: 600; white-space: nowrap; } td.text { color: var(--soft); min-width: 15rem; width: 100%; }
            .passed { color: var(--good); white-space: nowrap; } .failed { color: var(--bad); } .warning { color: var(--warn); } .skipped { color: var(--skip); }
            td.failed, td.warning, td.skipped { white-space: nowrap; }
            td.failed { background: var(--badback); } td.warning { background: var(--warnback); } td.skipped { background: var(--skipback); }
            pre { white-space: pre-wrap; overflow-wrap: anywhere; margin: .3rem 0; font: 12.5px/1.45 ui-monospace, "DejaVu Sans Mono", monospace; }
            .finding { border-left: 4px solid; border-radius: 6px; padding: .5rem 1rem; margin: .6rem 0; } .finding b, .finding pre { color: var(--ink); }
            .finding.failed { background: var(--badback); } .finding.warning { background: var(--warnback); }
            summary { cursor: pointer; font-weight: 600; font-size: 1.2rem; margin: 2.2rem 0 .6rem; }
            table.matrix { width: auto; font-size: .78rem; } .matrix th, .matrix td { padding: .1rem 0; min-width: 1.42rem; text-align: center; border-right: 1px solid var(--line); }
            .matrix th.rule { writing-mode: vertical-rl; transform: rotate(180deg); height: 6.2rem; text-align: left; border-right: 0; border-left: 1px solid var(--line); }
            .matrix td.id, .matrix th.id { text-align: left; font-weight: 500; padding: .1rem .5rem; position: sticky; left: 0; background: #fff; }
            .caught { background: #bfe5cd; color: var(--good); font-weight: 700; } .passed-on { color: #9aa5b1; } .matrix td.none { background: #fbfcfd; }
            @media (max-width: 40rem) { main { padding: 1rem .6rem 2rem; } th, td { padding: .3rem .4rem; } td.id { font-size: .85rem; } }
            </style></head><body><main>
            """;

    static final String TAIL = "</main></body></html>\n";

    private Html() {}

    static String escape(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }

    /** {@return a duration as readable text} */
    static String time(long millis) {
        if (millis < 1_000) {
            return millis + " ms";
        }
        return millis < 120_000
                ? "%.1f s".formatted(millis / 1_000.0)
                : "%d min %d s".formatted(millis / 60_000, millis / 1_000 % 60);
    }
}
