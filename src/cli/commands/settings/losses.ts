// What a change of the settings takes away: data that the next sweep deletes, and labels that no
// longer count.

import type { Reply } from "../../../api/index.ts";
import type { Client } from "../../../client/client.ts";
import { AppError } from "../../../domain/errors.ts";
import { counted } from "../../../lib/counted.ts";
import type { Options } from "../../command.ts";
import { printableLine } from "../../output/printable.ts";
import type { Io } from "../../terminal/io.ts";
import { noteLine } from "../../terminal/notes.ts";

type Values = Partial<Reply<"settings.get">["settings"]>;

export interface Loss {
  code: "DATA_DELETED" | "LABEL_IGNORED";
  text: string;
}

const retentions = [
  { name: "auditRetentionDays", what: "audit events" },
  { name: "busEventRetentionDays", what: "bus events" },
  { name: "commandRetentionDays", what: "finished commands and their results" },
  { name: "silentRetentionDays", what: "silent agents and services" },
  { name: "serviceHistoryRetentionDays", what: "the status history of services" },
] as const;

/** Settings that `after` does not name stay the same. 0 days means forever. */
export function deletedBy(before: Values, after: Values): Loss[] {
  const shorter = retentions.flatMap(({ name, what }) => {
    const [from, to] = [before[name] ?? 0, after[name] ?? 0];
    if (after[name] === undefined || to === 0 || (from !== 0 && to >= from)) return [];
    return [`${what} for ${counted(to, "day")} instead of ${from === 0 ? "forever" : from}`];
  });
  if (shorter.length === 0) return [];
  const text = `The next maintenance sweep deletes older data: it keeps ${shorter.join(", ")}.`;
  return [{ code: "DATA_DELETED", text }];
}

export function noteLosses(io: Io, options: Options, losses: readonly Loss[]): void {
  for (const { code, text } of losses) noteLine(io, options, code, text);
}

/** Asks the server which labels it will ignore after the change. */
export async function ignoredBy(api: Client, before: Values, after: Values): Promise<Loss[]> {
  const known = before.operatorLabels ?? [];
  const operatorLabels = (after.operatorLabels ?? []).filter((key) => !known.includes(key));
  if (operatorLabels.length === 0) return [];
  const document = { kind: "Settings", settings: { operatorLabels } } as const;
  const documents = [{ file: "settings set", digest: "0".repeat(64), document }];
  try {
    const { changes } = await api.call("declarations.preview", { body: { documents } });
    return changes.flatMap(({ warnings }) => ignoredIn(warnings));
  } catch (error) {
    // The change itself is then refused, with a message about the setting.
    if (error instanceof AppError && ["VALIDATION_FAILED", "FORBIDDEN"].includes(error.code)) {
      return [];
    }
    throw error;
  }
}

/** The server's warnings about settings name the labels that will be ignored. */
export function ignoredIn(warnings: readonly string[]): Loss[] {
  return warnings.map((text) => ({ code: "LABEL_IGNORED", text: printableLine(text) }));
}
