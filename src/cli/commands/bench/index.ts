import type { CommandSpec } from "../../command.ts";
import { fileOption, option } from "../../options.ts";

export const bench = (): CommandSpec[] => [
  {
    name: "bench",
    summary:
      "Simulate the load of many agents on a server, and estimate how many agents it can handle",
    server: true,
    endsItself: true,
    output: true,
    options: [
      option("--agents <count>", "how many agents to simulate", { kind: "integer", default: 100 }),
      option("--duration <duration>", "how long to measure once all agents are connected", {
        kind: "duration",
        default: 60,
      }),
      option("--actions <rate>", "actions per second (default: 1 for each 100 agents, 1 to 50)"),
      option("--events <rate>", "bus events per second (default: 0)"),
      option("--processes <count>", "how many processes simulate the agents", { kind: "integer" }),
      option("--among-others", "run even if the server has other agents, which share its capacity"),
      option("--clean", "only delete what a killed run left on the server"),
      fileOption("--html <file>", "also write the report as a page for browsers and printers"),
      option("--server <url>", "the server to measure (PLATFORM_URL)"),
      option("--context <name>", "measure the server of this context (PLATFORM_CONTEXT)", {
        completes: "context",
      }),
      fileOption("--ca-file <file>", "trust this CA certificate (PLATFORM_CA_FILE)"),
    ],
    examples: [
      "bench --server http://127.0.0.1:8080 --agents 1000 --duration 5m",
      "bench --server http://127.0.0.1:8080 --agents 500 --actions 20 --html report.html",
      "bench --server http://127.0.0.1:8080 --clean",
    ],
    run: async () => (await import("./bench.ts")).runBench,
  },
  {
    name: "bench-load",
    summary: "Simulate some of the agents of a bench",
    server: true,
    endsItself: true,
    hidden: true,
    run: async () => (await import("./load/load-process.ts")).runLoadProcess,
  },
];
