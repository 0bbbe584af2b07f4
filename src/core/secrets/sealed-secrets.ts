// One-time secrets on PostgreSQL, where any node may be asked for them. They are stored in the
// transaction of the result, encrypted with a key that only the nodes have.
// (docs/decisions/0011-secrets.md)

import type { KeyObject } from "node:crypto";
import { oneTimeSecretSeconds } from "../../domain/limits.ts";
import type { FillRandom } from "../../lib/random.ts";
import type { Database, Tx } from "../../store/database.ts";
import {
  countOneTimeSecrets,
  deleteOldOneTimeSecrets,
  deleteOneTimeSecret,
  findOneTimeSecret,
  hasOldOneTimeSecrets,
  insertOneTimeSecret,
} from "../../store/tables/commands/one-time-secrets.ts";
import { derivedKey } from "./derived-key.ts";
import { maxSecretLength, type OneTimeSecrets } from "./one-time-secrets.ts";
import { seal, unseal } from "./sealing.ts";

interface SealedSecretsOptions {
  db: Database;
  /** The encryption key is derived from this secret. */
  sessionSecret: () => KeyObject;
  fillRandom: FillRandom;
}

export class SealedSecrets implements OneTimeSecrets {
  readonly #options: SealedSecretsOptions;

  constructor(options: SealedSecretsOptions) {
    this.#options = options;
  }

  async put(tx: Tx, commandId: string, value: string): Promise<void> {
    if (value.length > maxSecretLength) return;
    const until = tx.now + oneTimeSecretSeconds * 1000;
    const sealed = seal(this.#key(), commandId, value, this.#options.fillRandom);
    await insertOneTimeSecret(tx, { commandId, sealed, until });
  }

  async take(commandId: string): Promise<string | null> {
    const { db } = this.#options;
    const sealed = await findOneTimeSecret(db.read, commandId, db.now());
    const value = sealed === null ? null : unseal(this.#key(), commandId, sealed);
    if (value === null) return null;
    const isOurs = await db.write((tx) => deleteOneTimeSecret(tx, commandId));
    return isOurs ? value : null;
  }

  count(): Promise<number> {
    const { db } = this.#options;
    return countOneTimeSecrets(db.read, db.now());
  }

  async dropOld(): Promise<void> {
    const { db } = this.#options;
    if (!(await hasOldOneTimeSecrets(db.read, db.now()))) return;
    await db.write((tx) => deleteOldOneTimeSecrets(tx, tx.now));
  }

  #key(): Buffer {
    return derivedKey(this.#options.sessionSecret(), "one-time secrets");
  }
}
