// `platform demo`, and the two processes that it plays with.

import type { CommandSpec } from "../command.ts";

export const demo: CommandSpec[] = [
  {
    name: "demo",
    summary: "The whole story in one terminal, on a throw-away data directory",
    server: true,
    endsItself: true,
    options: [{ flags: "--keep", summary: "leave everything running and print where" }],
    run: async () => (await import("../demo/index.ts")).runDemo,
  },
  {
    name: "demo-collector",
    summary: "The managed service of the demo: a small HTTP log collector",
    server: true,
    endsItself: true,
    hidden: true,
    options: [
      { flags: "--dir <folder>", summary: "where its logs go", completes: "file" },
      { flags: "--port <port>", summary: "where it listens, 0 for a free port", default: "0" },
    ],
    run: async () => (await import("../demo/collector.ts")).runCollector,
  },
  {
    name: "demo-agent",
    summary: "The agent of the demo, next to the log collector",
    server: true,
    endsItself: true,
    hidden: true,
    options: [
      { flags: "--server <url>", summary: "the management server" },
      { flags: "--collector <url>", summary: "the service it looks after" },
      {
        flags: "--dir <folder>",
        summary: "where it keeps its token and journal",
        completes: "file",
      },
    ],
    run: async () => (await import("../demo/agent.ts")).runAgent,
  },
];
