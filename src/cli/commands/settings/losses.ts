// What a change of the settings takes away: data that the next maintenance deletes, and labels that
// no longer count.

import type { Reply } from "../../../api/index.ts";
import type { Client } from "../../../client/client.ts";
import { counted } from "../../../lib/counted.ts";
import type { Options } from "../../command.ts";
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
  const text = `The next maintenance deletes older data, to keep ${shorter.join(", ")}.`;
  return [{ code: "DATA_DELETED", text }];
}

export function noteLosses(io: Io, options: Options, losses: readonly Loss[]): void {
  for (const { code, text } of losses) noteLine(io, options, code, text);
}

/** Returns how many services have each of these labels. */
export function withLabels(api: Client, keys: readonly string[]): Promise<number[]> {
  return Promise.all(
    keys.map(async (key) => {
      const query = { selector: JSON.stringify(key), pageSize: 1 };
      return (await api.page("services.list", { query })).pagination.total;
    }),
  );
}
