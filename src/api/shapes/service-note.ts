import { z } from "zod";
import { noteKinds } from "../../domain/fleet/attention.ts";
import { named, namedObject } from "../contract/schema-names.ts";
import { timestamp } from "../contract/schemas.ts";

export const serviceNote = namedObject("ServiceNote", {
  kind: named(
    "ServiceNoteKind",
    z
      .enum(noteKinds)
      .describe("ACKNOWLEDGED: until the problem changes. SILENCED: until the time in `until`."),
  ),
  note: z.string().nullable().describe("The note that the operator wrote."),
  by: z.string().nullable().describe("Who acknowledged or silenced the service."),
  at: timestamp.describe("When the service was acknowledged or silenced."),
  until: timestamp.nullable().describe("The end of a silence; null for an acknowledgement."),
});
