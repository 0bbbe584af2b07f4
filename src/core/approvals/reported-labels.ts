// Warns about selectors that depend on labels that agents report and can therefore change, and
// about labels that no agent or service has.
// (docs/decisions/0025-approvals.md, "Labels")

import { reportableKeys } from "../../domain/fleet/labels.ts";
import { isNegative, parseSelector, type Selector } from "../../domain/fleet/selectors.ts";
import { didYouMean, nearest } from "../../lib/nearest.ts";
import type { Reader } from "../../store/database.ts";
import {
  isAnySelected,
  isReportedOnSelected,
  listLabelKeys,
} from "../../store/tables/fleet/services.ts";
import { findSetting } from "../../store/tables/settings.ts";

const doubts = {
  policy: (labels: string) =>
    `Agents can evade this policy, because they can report ${labels}. An owner can assign ` +
    "such labels, or list them in the setting operatorLabels.",
  rollout: (labels: string) =>
    `Agents can change whether their services are selected, because they can report ${labels}. ` +
    "An owner can assign such labels, or list them in the setting operatorLabels.",
  schedule: (labels: string) =>
    `Agents can change whether a run selects their services, because they can report ${labels}. ` +
    "An owner can list such labels in the setting operatorLabels.",
};

/**
 * Returns at most one warning about reported labels. A policy or a rollout is safe if owners have
 * assigned the labels to every service that is selected now. A schedule selects services anew at
 * each run, so by then any agent could report the labels. If a rollout selects nothing, the
 * warnings name the labels that no agent or service has. `operatorLabels` is the setting as it will
 * be; by default, the stored one counts.
 */
export async function labelWarnings(
  db: Reader,
  what: keyof typeof doubts,
  selectorText: string | undefined,
  operatorLabels?: readonly string[],
): Promise<string[]> {
  const selector = parseSelector(selectorText ?? "");
  if (selector.length === 0) return [];
  if (what === "rollout" && !(await isAnySelected(db, selector)))
    return unknownLabels(db, selector);
  const reserved = operatorLabels ?? (await findSetting<string[]>(db, "operatorLabels")) ?? [];
  const doubtful: string[] = [];
  for (const key of reportableKeys(selector, reserved)) {
    if (what === "schedule" || (await isReportedOnSelected(db, selector, key))) doubtful.push(key);
  }
  if (doubtful.length === 0) return [];
  const labels = doubtful.length === 1 ? "the label" : "the labels";
  return [doubts[what](`${labels} ${doubtful.map((key) => `"${key}"`).join(", ")}`)];
}

async function unknownLabels(db: Reader, selector: Selector): Promise<string[]> {
  const known = await listLabelKeys(db);
  const wanted = selector.filter(({ operator }) => !isNegative(operator)).map(({ key }) => key);
  return [...new Set(wanted)]
    .filter((key) => !known.includes(key))
    .map((key) => `No agent or service has a label "${key}".${didYouMean(nearest(key, known))}`);
}
