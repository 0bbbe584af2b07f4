// Warns about selectors that depend on labels which agents report and can therefore change.
// (docs/decisions/0025-approvals.md, "Labels")

import { reportableKeys } from "../../domain/labels.ts";
import { parseSelector } from "../../domain/selectors.ts";
import type { Reader } from "../../store/database.ts";
import { isReportedOnSelected } from "../../store/tables/services.ts";
import { findSetting } from "../../store/tables/settings.ts";

const doubts = {
  policy: (keys: string) =>
    `Agents can leave this policy, because they report ${keys}. An owner can assign these labels, or ` +
    "list them in the setting operatorLabels.",
  rollout: (keys: string) =>
    `Agents can change whether they are selected, because they report ${keys}. An owner can assign ` +
    "these labels, or list them in the setting operatorLabels.",
  schedule: (keys: string) =>
    `Agents can change whether a run selects them, because they can report ${keys}. An owner can list ` +
    "these labels in the setting operatorLabels.",
};

/**
 * Returns at most one warning. A policy or a rollout is safe if owners have assigned the labels
 * to every service that is selected now. A schedule selects at each run, so any agent could report
 * them.
 */
export async function labelWarnings(
  db: Reader,
  what: keyof typeof doubts,
  selectorText: string | undefined,
): Promise<string[]> {
  const selector = parseSelector(selectorText ?? "");
  if (selector.length === 0) return [];
  const operatorLabels = (await findSetting<string[]>(db, "operatorLabels")) ?? [];
  const doubtful: string[] = [];
  for (const key of reportableKeys(selector, operatorLabels)) {
    if (what === "schedule" || (await isReportedOnSelected(db, selector, key))) doubtful.push(key);
  }
  return doubtful.length === 0 ? [] : [doubts[what](doubtful.join(", "))];
}
