// Secrets that agents generated for operators. They are shown once and never written to disk, so
// they are lost when the process ends. (docs/decisions/0011-secrets.md)

import { oneTimeSecretSeconds } from "../../domain/limits.ts";

/** Above this number the oldest secret is dropped. */
const maxKept = 1000;
const maxLength = 16 * 1024;

export class OneTimeSecrets {
  readonly #secrets = new Map<string, { value: string; until: number }>();
  readonly #monotonic: () => number;

  constructor(monotonic: () => number) {
    this.#monotonic = monotonic;
  }

  /** Keeps a secret, unless it is longer than any real key. */
  put(commandId: string, value: string): void {
    if (value.length > maxLength) return;
    this.dropOld();
    const [oldest] = this.#secrets.keys();
    if (oldest !== undefined && this.#secrets.size >= maxKept) this.#secrets.delete(oldest);
    const until = this.#monotonic() + oneTimeSecretSeconds * 1000;
    this.#secrets.set(commandId, { value, until });
  }

  /** Returns the secret only once. */
  take(commandId: string): string | null {
    this.dropOld();
    const secret = this.#secrets.get(commandId);
    this.#secrets.delete(commandId);
    return secret?.value ?? null;
  }

  get size(): number {
    this.dropOld();
    return this.#secrets.size;
  }

  dropOld(): void {
    const now = this.#monotonic();
    for (const [commandId, secret] of this.#secrets) {
      if (secret.until > now) break;
      this.#secrets.delete(commandId);
    }
  }
}
