import { z } from "zod";
import { noteKinds } from "../../domain/fleet/attention.ts";
import { named, namedObject } from "../contract/schema-names.ts";
import { timestamp } from "../contract/schemas.ts";

export const serviceNote = namedObject("ServiceNote", {
  kind: named("ServiceNoteKind", z.enum(noteKinds)),
  note: z.string().nullable(),
  by: z.string().nullable(),
  at: timestamp,
  until: timestamp.nullable().describe("The end of a silence; null for an acknowledgement."),
});
