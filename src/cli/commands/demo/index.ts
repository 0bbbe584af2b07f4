import type { CommandSpec } from "../../command.ts";
import { fileOption, option } from "../../options.ts";

export const demo = (): CommandSpec[] => [
  {
    name: "demo",
    summary: "Show the whole system in one terminal, in a temporary data folder",
    server: true,
    endsItself: true,
    options: [
      option("--postgresql", "show two servers on the empty database in PLATFORM_DATABASE_URL"),
      option("--keep", "leave everything running, and print the addresses"),
    ],
    run: async () => (await import("./run.ts")).runDemo,
  },
  {
    name: "demo-collector",
    summary: "A managed service of the demo: a small HTTP log collector",
    server: true,
    endsItself: true,
    hidden: true,
    options: [
      fileOption("--dir <folder>", "where it writes its logs"),
      option("--port <port>", "where it listens, 0 for a free port", { default: "0" }),
    ],
    run: async () => (await import("./collector.ts")).runCollector,
  },
  {
    name: "demo-cache",
    summary: "A managed service of the demo: a page cache that is its own agent",
    server: true,
    endsItself: true,
    hidden: true,
    options: [
      option("--server <url>", "the management server"),
      fileOption("--dir <folder>", "where its agent keeps the token and journal"),
    ],
    run: async () => (await import("./page-cache.ts")).runPageCache,
  },
];
