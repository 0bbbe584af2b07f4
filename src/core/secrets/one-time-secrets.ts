// Secrets that agents generated for operators, which are shown once.
// (docs/decisions/0011-secrets.md)

import type { Tx } from "../../store/database.ts";

/** Longer secrets are not kept, because no real key is that long. */
export const maxSecretLength = 16 * 1024;

export interface OneTimeSecrets {
  /** Keeps the secret of a command, for `oneTimeSecretSeconds` after the transaction. */
  put(tx: Tx, commandId: string, value: string): Promise<void>;
  /** Returns the secret at the first call, and null afterwards. */
  take(commandId: string): Promise<string | null>;
  count(): Promise<number>;
  /** Must be called every second. */
  dropOld(): Promise<void>;
}
