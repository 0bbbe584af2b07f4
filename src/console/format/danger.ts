import type { DangerLevel } from "../../domain/fleet/services.ts";
import { texts } from "../texts/index.ts";

/** Names a level and those above it: `Medium danger or higher`. */
export function dangerFrom(level: string): string {
  const name = texts.actions.danger[level as DangerLevel] ?? level;
  return level === "HIGH" ? name : texts.policies.fields.atLeast({ level: name });
}
