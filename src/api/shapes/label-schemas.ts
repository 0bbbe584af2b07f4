// The schemas of labels that owners assign. (docs/guides/labels.md)

import { z } from "zod";
import { labelStates } from "../../domain/fleet/labels.ts";
import { maxLabels } from "../../domain/limits.ts";
import { mapOf } from "../contract/bounded.ts";
import { named, namedObject } from "../contract/schema-names.ts";

export const labelSources = z
  .array(
    namedObject("LabelSource", {
      key: z.string(),
      value: z.string(),
      source: named("LabelOrigin", z.enum(["ASSIGNED", "REPORTED"])).describe(
        "`ASSIGNED`: an owner assigned the label. `REPORTED`: the agent reports it.",
      ),
      of: named("LabelSubject", z.enum(["AGENT", "SERVICE"])).describe(
        "Whether the label belongs to the agent or to the service itself.",
      ),
      state: named("LabelState", z.enum(labelStates)).describe(
        "`OVERRIDDEN`: another label with the same key is in effect. `IGNORED`: the " +
          "`operatorLabels` setting contains the key, so agents cannot report the label.",
      ),
    }),
  )
  .describe("All labels, and which of them are in effect.");

const key = z.string().min(1).max(100);
const value = z.string().max(200);

export const assignedLabels = z
  .record(z.string(), z.string())
  .describe("Labels that owners have assigned. They override reported labels.");

/** The labels that a registration token assigns. */
export const labelsToAssign = mapOf(key, value, maxLabels, "labels");

export const changeLabels = namedObject("ChangeLabelsRequest", {
  labels: mapOf(key, value.nullable(), 2 * maxLabels, "labels").describe(
    "The labels to assign. `null` removes an assigned label. Other assigned labels stay.",
  ),
});
