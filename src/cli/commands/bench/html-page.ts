// The report as a single self-contained page, for browsers and printers.

import { linesOf } from "../../output/fact-sheet.ts";
import { type Report, sheetForPeople } from "./report.ts";

const style = `
  :root { color-scheme: light; }
  body { font: 15px/1.5 system-ui, sans-serif; color: #1c2430; margin: 2.5rem auto; max-width: 52rem; padding: 0 1rem; }
  h1 { font-size: 1.5rem; margin: 0; }
  .summary { font-size: 1.15rem; border-left: 4px solid #2a6fb0; padding: .4rem 0 .4rem 1rem; margin: 1.5rem 0; }
  .about { color: #5a6675; margin: .2rem 0 0; }
  .parts { columns: 2; column-gap: 2.5rem; }
  section { break-inside: avoid; margin: 0 0 1.4rem; }
  h2 { font-size: 1rem; margin: 0 0 .3rem; }
  table { border-collapse: collapse; width: 100%; }
  th { text-align: left; font-weight: normal; color: #5a6675; white-space: nowrap; padding-right: 1rem; }
  td { text-align: right; font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
  th, td { padding-block: .15rem; border-bottom: 1px solid #e3e7ec; vertical-align: top; }
  @media (max-width: 40rem) { .parts { columns: 1; } }
  @media print { body { margin: 0; max-width: none; font-size: 11px; } @page { margin: 16mm; } }
`;

const titles: Record<keyof ReturnType<typeof sheetForPeople>, string> = {
  run: "Run",
  agents: "Agents",
  heartbeats: "Heartbeats",
  polls: "Long polls (delay of empty responses)",
  dispatch: "Dispatch (from the operator's call until the agent has the command)",
  roundTrips: "Round trips (from the operator's call until the operator has the result)",
  prepares: "Prepares",
  events: "Bus events",
  server: "Server",
  generator: "Load generator",
  outages: "Outages",
  errors: "Errors",
  gaveOutFirst: "Gave out first",
  estimate: "Estimate",
};

/** `writtenAt` is an ISO time. */
export function htmlPage(report: Report, writtenAt: string): string {
  const sheet = sheetForPeople(report);
  const parts = (Object.keys(titles) as (keyof typeof sheet)[]).map((name) => {
    const rows = linesOf(sheet[name], false).map(
      ([label, value]) => `<tr><th>${escaped(label)}</th><td>${escaped(value)}</td></tr>`,
    );
    const table = rows.length > 0 ? `<table>${rows.join("")}</table>` : "<p>None</p>";
    return `<section><h2>${escaped(titles[name])}</h2>${table}</section>`;
  });
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Capacity of ${escaped(report.run.server)}</title>
<style>${style}</style>
</head>
<body>
<h1>Capacity report</h1>
<p class="about">${escaped(report.run.server)}, platform ${escaped(report.run.serverVersion)}, ${escaped(writtenAt)}</p>
<p class="summary">${escaped(report.summary)}</p>
<div class="parts">
${parts.join("\n")}
</div>
</body>
</html>
`;
}

function escaped(text: string): string {
  const named: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
  return text.replace(/[&<>"]/g, (character) => named[character] ?? character);
}
