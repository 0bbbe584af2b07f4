import type { ArgumentSpec, CommandSpec } from "../../command.ts";

const context: ArgumentSpec = {
  name: "<context>",
  summary: "name of the context",
  completes: "context",
};

export const contexts = (): CommandSpec[] => [
  {
    name: "context list",
    summary: "List the servers that you have signed in to",
    output: "rows",
    run: async () => (await import("./contexts.ts")).listContexts,
  },
  {
    name: "context show",
    summary: "Show a context; by default the current one",
    args: [{ ...context, name: "[context]" }],
    output: true,
    onlyPrints: true,
    examples: ["context show -o name"],
    run: async () => (await import("./contexts.ts")).showContext,
  },
  {
    name: "context use",
    summary: "Make a context the current one",
    args: [context],
    run: async () => (await import("./contexts.ts")).useContext,
  },
  {
    name: "context delete",
    summary: "End a context's session and delete the context",
    args: [context],
    run: async () => (await import("./contexts.ts")).deleteContext,
  },
];
