import type { JsonObject } from "../../../domain/payload/json.ts";
import { checkKeys } from "../../form/given-keys.ts";
import { pathLine } from "../../form/lines.ts";
import { printableLine } from "../../output/printable.ts";
import type { Io } from "../../terminal/io.ts";
import { type NoteOptions, noteLine } from "../../terminal/notes.ts";
import type { Setting } from "./payload.ts";

/** The action whose form the settings fill in, and where to print warnings. */
interface SettingsFor {
  io: Pick<Io, "note">;
  options: NoteOptions;
  action: { name: string };
}

/**
 * Warns about keys that no schema declares. Throws a usage error for a mistyped key, unless there
 * are services whose schemas are not given (`isPart`).
 */
export function checkSettings(
  { io, options, action }: SettingsFor,
  payload: JsonObject,
  settings: readonly Setting[],
  schemas: readonly JsonObject[],
  isPart = false,
): void {
  const given = settings.map(({ path }) => path);
  for (const { place, similar } of checkKeys(payload, given, schemas, isPart)) {
    const name = printableLine(action.name);
    const meant = similar === null ? "" : ` (did you mean ${pathLine(similar)}?)`;
    const text = `warning: ${name} declares no field ${pathLine(place)}${meant}; it is sent anyway.`;
    noteLine(io, options, "FIELD_NOT_DECLARED", text);
  }
}
