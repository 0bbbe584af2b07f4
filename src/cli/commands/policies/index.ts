import { dangerLevels } from "../../../domain/fleet/services.ts";
import type { CommandSpec, OptionSpec } from "../../command.ts";
import { commandsOf } from "../../nouns/commands.ts";
import {
  action,
  argumentFor,
  callsApi,
  fileOption,
  option,
  requestId,
  service,
} from "../../options.ts";

const policy = argumentFor("approval-policies");

const fields: OptionSpec[] = [
  option("--danger <level>", "only actions with at least this danger level; 'any' for all", {
    completes: [...dangerLevels, "any"],
  }),
  option("--action <name>", "only the action with this name; '' for all"),
  option("-l, --selector <selector>", "only services whose labels match; '' for all"),
  option("--approvals <count>", "how many different users must approve: 1 or 2", {
    kind: "integer",
  }),
  option("--approvers <who>", "operator or owner: users with at least this role; or usernames", {
    kind: "several",
    completes: "approver",
  }),
  option("--expires <duration>", "how long a request waits for its approvals before it expires", {
    kind: "duration",
  }),
  option("--order <number>", "policies with lower numbers are checked first", {
    kind: "integer",
  }),
  option("--description <text>", "a description for people"),
];

const file = fileOption("-f, --file <file>", "the policy in YAML or JSON; - for standard input");

const own: CommandSpec[] = [
  {
    name: "policies create",
    summary: "Create a policy, which takes effect immediately",
    args: [{ name: "[name]", summary: "the name; it can be in the file instead" }],
    options: [file, ...fields, requestId],
    ...callsApi,
    examples: [
      "policies create production --danger HIGH -l env=production --approvers owner",
      "policies create delete --action delete --approvals 2 --approvers ann,ben,cleo --order 10",
      "policies create -f policy.yaml",
    ],
    run: async () => (await import("./save.ts")).createPolicy,
  },
  {
    name: "policies update",
    summary: "Change the fields that the flags name, or replace a policy with the one in a file",
    args: [policy],
    options: [option("--name <text>", "the new name"), file, ...fields],
    ...callsApi,
    examples: [
      "policies update production --approvals 2",
      "policies update production -f policy.yaml",
    ],
    run: async () => (await import("./save.ts")).updatePolicy,
  },
  {
    name: "policies edit",
    summary: "Edit a policy in VISUAL or EDITOR",
    args: [policy],
    ...callsApi,
    examples: ["policies edit production"],
    run: async () => (await import("./save.ts")).editPolicy,
  },
  {
    name: "policies test",
    summary: "Show which policy applies to an action, and why the earlier ones do not",
    args: [service, action],
    ...callsApi,
    onlyPrints: true,
    examples: ["policies test web-1 restart"],
    run: async () => (await import("./test.ts")).testPolicies,
  },
];

export const policies = (): CommandSpec[] =>
  commandsOf("approval-policies", {
    own,
    print: async () => (await import("./save.ts")).printPolicy,
  });
