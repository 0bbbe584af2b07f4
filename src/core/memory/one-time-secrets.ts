// Secrets that an agent generated for an operator: in memory for five minutes, handed out once,
// never on disk. Lost with the process, on purpose. (docs/decisions/0011-secrets.md)

import { oneTimeSecretSeconds } from "../../domain/limits.ts";

/** Beyond this many at once, the oldest goes. */
const maxKept = 1000;
const maxLength = 16 * 1024;

export class OneTimeSecrets {
  readonly #secrets = new Map<string, { value: string; until: number }>();
  readonly #monotonic: () => number;

  constructor(monotonic: () => number) {
    this.#monotonic = monotonic;
  }

  /** Keeps a secret; one that is longer than any key is not kept. */
  put(commandId: string, value: string): void {
    if (value.length > maxLength) return;
    this.dropOld();
    const [oldest] = this.#secrets.keys();
    if (oldest !== undefined && this.#secrets.size >= maxKept) this.#secrets.delete(oldest);
    this.#secrets.set(commandId, {
      value,
      until: this.#monotonic() + oneTimeSecretSeconds * 1000,
    });
  }

  /** The secret of this command, the first time it is asked for in time; then null for ever. */
  take(commandId: string): string | null {
    this.dropOld();
    const secret = this.#secrets.get(commandId);
    this.#secrets.delete(commandId);
    return secret?.value ?? null;
  }

  /** How many wait to be asked for. */
  get size(): number {
    this.dropOld();
    return this.#secrets.size;
  }

  /** Forgets what nobody has asked for in time. */
  dropOld(): void {
    const now = this.#monotonic();
    for (const [commandId, secret] of this.#secrets) {
      if (secret.until > now) break;
      this.#secrets.delete(commandId);
    }
  }
}
