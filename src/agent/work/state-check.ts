// Identifies the state that `prepare` returns, so that an execution can depend on it.

import { hash } from "node:crypto";
import { stateFingerprintMaxLength } from "../../domain/limits.ts";
import { canonicalJson } from "../../lib/json/canonical-json.ts";
import { ActionError, messageOf } from "../connection/errors.ts";
import type { Prepared } from "../services/services.ts";

/** Returns undefined if there is no state. Throws ActionError ACTION_PREPARE_INVALID. */
export function fingerprintOf({ stateFingerprint, currentState }: Prepared): string | undefined {
  if (stateFingerprint !== undefined) return checked(stateFingerprint);
  if (currentState === undefined || currentState === null) return undefined;
  // State that is not JSON has no fingerprint. The command fails anyway.
  const text = textOf(currentState);
  return text === undefined ? undefined : hash("sha256", canonicalJson(JSON.parse(text)), "hex");
}

function checked(fingerprint: unknown): string {
  const isText = typeof fingerprint === "string" && fingerprint !== "";
  if (isText && fingerprint.length <= stateFingerprintMaxLength) return fingerprint;
  throw new ActionError(
    "ACTION_PREPARE_INVALID",
    `stateFingerprint must be a text of 1 to ${stateFingerprintMaxLength} characters.`,
  );
}

function textOf(state: unknown): string | undefined {
  try {
    return JSON.stringify(state);
  } catch {
    return undefined;
  }
}

/**
 * Throws ActionError STATE_CHANGED, whose details contain the new state, or STATE_NOT_CHECKED.
 * After an abort, throws the signal's reason, so that the action does not run.
 */
export async function requireState(
  expected: string,
  prepare: () => Promise<Prepared>,
  signal: AbortSignal,
): Promise<void> {
  let prepared: Prepared;
  try {
    prepared = await prepare();
  } catch (error) {
    signal.throwIfAborted();
    throw notChecked(messageOf(error));
  }
  signal.throwIfAborted();
  const { stateFingerprint, currentState = null } = prepared;
  if (stateFingerprint === undefined) throw notChecked("the action no longer reports a state.");
  if (stateFingerprint === expected) return;
  const message = "The state has changed since it was shown, so the action was not run.";
  throw new ActionError("STATE_CHANGED", message, { stateFingerprint, currentState });
}

function notChecked(why: string): ActionError {
  const message = `The state could not be checked again, so the action was not run: ${why}`;
  return new ActionError("STATE_NOT_CHECKED", message);
}
