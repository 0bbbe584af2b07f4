import type { CommandSpec } from "../../command.ts";
import { commandsOf } from "../../nouns/commands.ts";
import { argumentFor, callsApi, dayTimeout, option, yes } from "../../options.ts";

const approval = argumentFor("approvals");
const openApproval = { ...approval, completes: "open-approval" } as const;

const own: CommandSpec[] = [
  {
    name: "approvals get",
    summary: "Show a request for approval: what would run, and the decisions",
    args: [approval],
    ...callsApi,
    onlyPrints: true,
    examples: ["approvals get apr_01K", "approvals get apr_01K -o json"],
    run: async () => (await import("./show.ts")).getApproval,
  },
  {
    name: "approvals approve",
    summary:
      "Approve a request as it is shown; it takes effect once it has all the approvals that " +
      "it needs",
    args: [openApproval],
    options: [
      option("--digest <digest>", "the digest of what you have read; required with --yes"),
      option("--comment <text>", "stored with the approval"),
      yes,
    ],
    ...callsApi,
    examples: [
      "approvals approve apr_01K",
      'approvals approve apr_01K --yes --digest "$(jq -r .digest request.json)"',
    ],
    run: async () => (await import("./decide.ts")).approve,
  },
  {
    name: "approvals reject",
    summary: "Reject a request, and end it",
    args: [openApproval],
    options: [option("--reason <text>", "the reason; asked for on a terminal, otherwise required")],
    ...callsApi,
    examples: ["approvals reject apr_01K --reason 'Not during the sale'"],
    run: async () => (await import("./decide.ts")).reject,
  },
  {
    name: "approvals wait",
    summary: "Wait until a request has ended; exits with 8 if it was not approved",
    args: [openApproval],
    options: [dayTimeout],
    ...callsApi,
    onlyPrints: true,
    examples: ["approvals wait apr_01K --timeout 8h"],
    run: async () => (await import("./wait.ts")).waitForApproval,
  },
];

export const approvals = (): CommandSpec[] =>
  commandsOf("approvals", { own, print: async () => (await import("./show.ts")).printApproval });
