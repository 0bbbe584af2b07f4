import type { CommandSpec } from "../../command.ts";

export const docs = (): CommandSpec[] => [
  {
    name: "docs",
    summary: "Print a page of the documentation, or list the pages",
    output: "rows",
    args: [
      {
        name: "[page]",
        summary: "such as tutorial or commands/agents; by default the list of pages",
        completes: "doc-page",
      },
    ],
    examples: ["docs", "docs tutorial", "docs commands/agents"],
    run: async () => (await import("./docs.ts")).showDocs,
  },
  {
    name: "explain",
    summary: "Explain an error code, a status or a reason, or list the codes",
    output: "rows",
    args: [
      {
        name: "[code]",
        summary: "such as AGENT_OFFLINE or STALE, in any letter case; by default the list of codes",
        completes: "error-code",
      },
    ],
    examples: [
      "explain",
      "explain AGENT_OFFLINE",
      "explain too_many_failures",
      "explain agent_offline -o json",
    ],
    run: async () => (await import("./explain.ts")).explainCode,
  },
];
