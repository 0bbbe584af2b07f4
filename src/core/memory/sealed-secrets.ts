// One-time secrets on PostgreSQL, where any node may be asked for them: stored with the result,
// encrypted with a key that only the nodes have. (docs/decisions/0011-secrets.md)

import { createCipheriv, createDecipheriv, hkdfSync, type KeyObject } from "node:crypto";
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
} from "../../store/tables/one-time-secrets.ts";
import { maxSecretLength, type OneTimeSecrets } from "./one-time-secrets.ts";

const algorithm = "aes-256-gcm";
const keyBytes = 32;
const nonceBytes = 12;
const tagBytes = 16;

export interface SealedSecretsOptions {
  db: Database;
  /** The encryption key is derived from it. */
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
    await insertOneTimeSecret(tx, { commandId, sealed: this.#seal(commandId, value), until });
  }

  async take(commandId: string): Promise<string | null> {
    const { db } = this.#options;
    const sealed = await findOneTimeSecret(db.read, commandId, db.now());
    const value = sealed === null ? null : this.#open(commandId, sealed);
    if (value === null) return null;
    const isOurs = await db.write((tx) => {
      tx.concerns();
      return deleteOneTimeSecret(tx, commandId);
    });
    return isOurs ? value : null;
  }

  count(): Promise<number> {
    const { db } = this.#options;
    return countOneTimeSecrets(db.read, db.now());
  }

  async dropOld(): Promise<void> {
    const { db } = this.#options;
    if (!(await hasOldOneTimeSecrets(db.read, db.now()))) return;
    await db.write((tx) => {
      tx.concerns();
      return deleteOldOneTimeSecrets(tx, tx.now);
    });
  }

  #seal(commandId: string, value: string): string {
    const nonce = Buffer.alloc(nonceBytes);
    this.#options.fillRandom(nonce);
    const cipher = createCipheriv(algorithm, this.#key(), nonce);
    cipher.setAAD(Buffer.from(commandId));
    const text = Buffer.concat([cipher.update(value, "utf8"), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), text]).toString("base64");
  }

  /** Returns null for what another key has sealed, or somebody has changed. */
  #open(commandId: string, sealed: string): string | null {
    const bytes = Buffer.from(sealed, "base64");
    const textAt = nonceBytes + tagBytes;
    try {
      const decipher = createDecipheriv(algorithm, this.#key(), bytes.subarray(0, nonceBytes));
      decipher.setAAD(Buffer.from(commandId));
      decipher.setAuthTag(bytes.subarray(nonceBytes, textAt));
      return decipher.update(bytes.subarray(textAt), undefined, "utf8") + decipher.final("utf8");
    } catch {
      return null;
    }
  }

  #key(): Buffer {
    const secret = this.#options.sessionSecret();
    return Buffer.from(hkdfSync("sha256", secret, "", "one-time secrets", keyBytes));
  }
}
