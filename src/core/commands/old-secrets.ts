// Removes secrets that versions before migration 0006 stored: in payloads of ended commands, and as
// unkeyed hashes of results. Until a payload is cleaned, it is redacted whenever it is read.

import { hasEnded } from "../../domain/commands/commands.ts";
import type { JsonObject } from "../../domain/payload/json.ts";
import { withholdSecrets } from "../../domain/secrets/payload-secrets.ts";
import type { Tx } from "../../store/database.ts";
import {
  findOldCommand,
  listFingerprints,
  listOldCommandIds,
  type OldCommand,
  replacePayload,
  setFingerprint,
} from "../../store/tables/commands/old-secrets.ts";
import { findAction } from "../../store/tables/fleet/service-actions.ts";
import type { Core } from "../context.ts";
import { inSlices } from "../short-transactions.ts";
import { preparedSchemaOf } from "./prepared-forms.ts";
import { isPlain, toFingerprint } from "./result-fingerprints.ts";

/** The maximum number of commands in one sweep. A full sweep takes one to two seconds. */
const maxPerSweep = 20_000;

export function dropOldSecrets(core: Core): Promise<number> {
  return inSlices(core, maxPerSweep, listOldCommandIds, (tx, id) => clean(core, tx, id));
}

async function clean(core: Core, tx: Tx, id: string): Promise<void> {
  const command = await findOldCommand(tx, id);
  if (!command) return;
  const parts = withholdSecrets(command.payload, await knownSchema(tx, command));
  await replacePayload(tx, id, parts, hasEnded(command.status) ? null : parts.secrets);
  for (const result of await listFingerprints(tx, id)) {
    if (!isPlain(result.fingerprint)) continue;
    await setFingerprint(tx, result.id, toFingerprint(core, result.fingerprint));
  }
}

/**
 * Uses the prepare command's schema or the current catalog, because the original schema was not
 * stored.
 */
async function knownSchema(tx: Tx, command: OldCommand): Promise<JsonObject> {
  const { serviceId, action: name, prepareCommandId } = command;
  const prepared = prepareCommandId === null ? null : await preparedSchemaOf(tx, prepareCommandId);
  return prepared ?? (await findAction(tx, serviceId, name))?.inputSchema ?? {};
}
