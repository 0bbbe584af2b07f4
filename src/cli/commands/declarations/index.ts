import type { CommandSpec } from "../../command.ts";
import { callsApi, option, yes } from "../../options.ts";

export const declarations = (): CommandSpec[] => [
  {
    name: "apply",
    summary: "Make routes, views, settings and more match the declarations in files",
    options: [
      option(
        "-f, --file <path>",
        "a file in YAML or JSON, a folder with such files, or - for standard input; repeatable",
        { kind: "repeat", completes: "file" },
      ),
      option("--follow-links", "also follow links that lead out of the folder"),
      option("--dry-run", "show what would change, and change nothing"),
      option(
        "--exit-code",
        "with --dry-run: exit with 9 if something would change, for drift checks",
      ),
      option("--diff", "show each change as a diff of YAML"),
      option("--prune", "delete what the set no longer contains"),
      option("--set <name>", "the name of the set that the files contain", { default: "default" }),
      option(
        "--break-glass <why>",
        "skip the approvals that policies require (owners only; recorded in the audit trail)",
      ),
      yes,
    ],
    ...callsApi,
    examples: [
      "apply -f deploy --dry-run --diff",
      "apply -f deploy --prune --yes",
      "apply -f deploy --prune --dry-run --exit-code",
      "apply -f route.yaml --set logging",
    ],
    run: async () => (await import("./apply.ts")).applyDeclarations,
  },
];
