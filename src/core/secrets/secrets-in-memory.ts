// One-time secrets on SQLite: never written to disk, so they are lost when the process ends.

import { oneTimeSecretSeconds } from "../../domain/limits.ts";
import type { Tx } from "../../store/database.ts";
import { maxSecretLength, type OneTimeSecrets } from "./one-time-secrets.ts";

/** Beyond this number, the oldest secret is dropped. */
const maxKept = 1000;

export class SecretsInMemory implements OneTimeSecrets {
  readonly #secrets = new Map<string, { value: string; until: number }>();
  readonly #monotonic: () => number;

  constructor(monotonic: () => number) {
    this.#monotonic = monotonic;
  }

  async put(tx: Tx, commandId: string, value: string): Promise<void> {
    if (value.length > maxSecretLength) return;
    tx.afterCommit(() => {
      this.#dropOld();
      const [oldest] = this.#secrets.keys();
      if (oldest !== undefined && this.#secrets.size >= maxKept) this.#secrets.delete(oldest);
      const until = this.#monotonic() + oneTimeSecretSeconds * 1000;
      this.#secrets.set(commandId, { value, until });
    });
  }

  async take(commandId: string): Promise<string | null> {
    this.#dropOld();
    const secret = this.#secrets.get(commandId);
    this.#secrets.delete(commandId);
    return secret?.value ?? null;
  }

  async count(): Promise<number> {
    this.#dropOld();
    return this.#secrets.size;
  }

  async dropOld(): Promise<void> {
    this.#dropOld();
  }

  #dropOld(): void {
    const now = this.#monotonic();
    for (const [commandId, secret] of this.#secrets) {
      if (secret.until > now) break;
      this.#secrets.delete(commandId);
    }
  }
}
