// The filters of the audit trail. The audit trail is a list with filters and views, but not a noun.

import type { NounFilter } from "../../../api/contract/noun.ts";
import {
  auditActions,
  auditResults,
  auditTargetTypes,
} from "../../../domain/audit/audit-events.ts";
import { capitalized } from "../../../lib/capitalized.ts";
import type { FilteredList } from "../../nouns/filters/facets.ts";
import { texts } from "../../texts/index.ts";
import { targetWord } from "../../values/target-link.tsx";

const words = texts.audit;

/** The values of the filter that match a group of actions, such as `command.*`. */
const groups = [...new Set(auditActions.map((action) => `${action.split(".")[0]}.*`))];

const filters: readonly NounFilter[] = (
  [
    {
      name: "action",
      kind: "text",
      label: words.what,
      hint: words.actionHint,
      suggests: [...groups, ...auditActions],
    },
    { name: "result", kind: "choice", label: words.result, choices: auditResults },
    { name: "actorType", kind: "choice", label: words.actorType, options: words.actorTypes },
    { name: "actorId", kind: "text", label: words.who, hint: words.idHint },
    {
      name: "targetType",
      kind: "choice",
      label: words.targetType,
      options: Object.fromEntries(
        auditTargetTypes.map((type) => [type, capitalized(targetWord(type))]),
      ),
    },
    { name: "targetId", kind: "text", label: words.target, hint: words.idHint },
    { name: "from", kind: "time", label: texts.words.from },
    { name: "to", kind: "time", label: texts.words.to },
  ] satisfies Omit<NounFilter, "flag" | "summary">[]
).map((filter) => ({ ...filter, flag: filter.name, summary: filter.label }));

export const auditList: FilteredList = { noun: "audit-events", filters, isLong: true };
