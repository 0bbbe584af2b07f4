// Compares the two states in the result of a command with the error STATE_CHANGED.

import { jsonEqual } from "../../lib/json/json-equal.ts";
import { isJsonObject, type Json, type JsonObject, ownValue } from "../payload/json.ts";

/** The maximum number of changes that are shown. The command contains both states in full. */
const maxChanges = 50;

interface StateChange {
  path: string[];
  /** Undefined if the place exists only in the other state. */
  before: Json | undefined;
  after: Json | undefined;
}

interface EndedCommand {
  errorCode: string | null;
  result: { error?: Json | undefined } | null;
}

/** Returns null for commands that have ended in another way. */
export function stateChangesOf({ errorCode, result }: EndedCommand): StateChange[] | null {
  const error = result?.error;
  if (errorCode !== "STATE_CHANGED" || !isJsonObject(error)) return null;
  const { details } = error;
  // Agents other than the platform's own may not send the new state.
  if (!isJsonObject(details) || details.currentState === undefined) return null;
  return changesBetween(details.preparedState, details.currentState);
}

/** An object that replaces a list or a text is one change. */
function changesBetween(before: Json | undefined, after: Json | undefined): StateChange[] {
  const changes: StateChange[] = [];
  const compare = (path: string[], one: Json | undefined, other: Json | undefined): void => {
    if (changes.length === maxChanges || jsonEqual(one, other)) return;
    if (!isBranch(one) || !isBranch(other) || Array.isArray(one) !== Array.isArray(other)) {
      changes.push({ path, before: one, after: other });
      return;
    }
    for (const key of new Set([...Object.keys(one), ...Object.keys(other)])) {
      compare([...path, key], ownValue(one, key), ownValue(other, key));
    }
  };
  compare([], before, after);
  return changes;
}

function isBranch(value: unknown): value is JsonObject | Json[] {
  return typeof value === "object" && value !== null;
}
