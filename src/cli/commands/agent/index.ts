// `platform agent …`: runs the agent of this host. Commands for operators are in commands/agents.

import type { CommandSpec, OptionSpec } from "../../command.ts";
import { option } from "../../options.ts";
import { serverFlags } from "../../server-flags.ts";

const config: OptionSpec = option("--config <file>", "the agent's configuration (YAML)", {
  default: "agent.yaml",
  completes: "file",
});

const logFlags = serverFlags.filter(({ variable }) => variable.startsWith("LOG_"));

export const agent = (): CommandSpec[] => [
  {
    name: "agent run",
    summary: "Run the agent, which reports the services in its file and runs their actions",
    server: true,
    endsItself: true,
    options: [config, ...logFlags],
    examples: ["agent run --config /etc/platform/agent.yaml", "agent run --log-format json"],
    run: async () => (await import("./run.ts")).runSidecar,
  },
  {
    name: "agent check",
    summary: "Check the agent's file: run each health check once, and read each value once",
    server: true,
    output: "rows",
    options: [config],
    examples: ["agent check --config /etc/platform/agent.yaml", "agent check -o json"],
    run: async () => (await import("./check.ts")).checkAgent,
  },
  {
    name: "agent init",
    summary: "Print a sample agent.yaml that shows every field",
    server: true,
    options: [
      option("--server <url>", "the URL of the management server"),
      option("--code <code>", "the agent's code (by default this host's name)"),
      option(
        "--state-dir <folder>",
        "where the agent keeps its token and journal (by default agent-state, next to the file)",
        { completes: "file" },
      ),
    ],
    examples: ["agent init > agent.yaml", "agent init --server https://agents.example.com"],
    run: async () => (await import("./init.ts")).printSample,
  },
  {
    name: "agent explain",
    summary: "Explain the fields of the agent's file",
    server: true,
    output: "rows",
    args: [
      {
        name: "[field]",
        summary: "such as services.health; by default the top-level fields",
        completes: "agent-field",
      },
    ],
    examples: ["agent explain", "agent explain services.health"],
    run: async () => (await import("./explain.ts")).explainField,
  },
];
