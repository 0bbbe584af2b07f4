// The error codes and the audit actions.

import { explainedCodes } from "../../src/cli/commands/docs/explained-codes.ts";
import { auditActions, targetTypeOf } from "../../src/domain/audit/audit-events.ts";
import { auditGuide } from "../../src/domain/audit/audit-guide.ts";
import { inCode, tableOf, type Writer, wrapped } from "./fill.ts";

export const codeWriters: Record<"errors" | "audit-actions", Writer> = {
  /** The words after the name give the kind of the codes. */
  errors: (words) => explained(words.join(" ")),
  "audit-actions": () => {
    const groups = Map.groupBy(auditActions, (action) => action.split(".")[0] ?? "");
    const tables = [...groups].map(([group, actions]) => {
      const rows = actions.map((action) => {
        const { when, metadata } = auditGuide[action];
        return [inCode(action), when, targetTypeOf(action), metadata.map(inCode).join(", ")];
      });
      const table = tableOf(["Action", "Written when", "Target", "Metadata"], rows);
      return `## ${group}\n\n${table}`;
    });
    return tables.join("\n\n");
  },
};

function explained(kind: string): string {
  return explainedCodes()
    .filter((one) => one.kind === kind)
    .map(({ code, httpStatus, exitStatus, meaning, causes, remedy }) => {
      const http = httpStatus === null ? [] : [`HTTP ${httpStatus}`];
      const exit = exitStatus === null ? [] : [`exit status ${exitStatus}`];
      return [
        `### ${code}`,
        ...(exit.length === 0 ? [] : [[...http, ...exit].join(" · ")]),
        wrapped(meaning),
        ...causesOf(causes),
        wrapped(`**What to do.** ${remedy}`),
      ].join("\n\n");
    })
    .join("\n\n");
}

function causesOf(causes: readonly string[]): string[] {
  if (causes.length < 2) return causes.map((cause) => wrapped(`**Usual cause.** ${cause}`));
  const list = causes.map((cause) => wrapped(cause, "- "));
  return ["**Usual causes:**", list.join("\n")];
}
