// Compares the two states in the result of a command with the error STATE_CHANGED.

import { type JsonChange, jsonChanges } from "../lib/json/json-changes.ts";
import { isJsonObject, type Json } from "./payload/json.ts";

/** Enough to see what has happened. The command contains both states. */
const maxChanges = 50;

interface EndedCommand {
  errorCode: string | null;
  result: { error?: Json | undefined } | null;
}

/** Returns null for commands that have ended in another way. */
export function stateChangesOf({ errorCode, result }: EndedCommand): JsonChange[] | null {
  const error = result?.error;
  if (errorCode !== "STATE_CHANGED" || !isJsonObject(error)) return null;
  const { details } = error;
  // An agent of another program may not send the new state.
  if (!isJsonObject(details) || details.currentState === undefined) return null;
  return jsonChanges(details.preparedState, details.currentState, maxChanges);
}
