// Reads and splits payloads from older versions, which did not store secrets separately. A database
// that was created with migration 0006 or later has no such payloads.

import type { CommandStatus } from "../../../domain/commands/commands.ts";
import type { Json, JsonObject } from "../../../domain/payload/json.ts";
import type { PayloadParts } from "../../../domain/secrets/payload-secrets.ts";
import { toJsonColumn } from "../../columns.ts";
import type { Reader, Tx } from "../../database.ts";
import { finder, idsOf } from "../../rows.ts";
import { all, run } from "../../sql-tag.ts";

export interface OldCommand {
  id: string;
  status: CommandStatus;
  serviceId: string;
  action: string;
  prepareCommandId: string | null;
  /** The payload still includes the secrets. */
  payload: JsonObject;
}

/** The newest commands come first, so that open commands are among the first. */
export async function listOldCommandIds(db: Reader, limit: number): Promise<string[]> {
  return idsOf(
    db,
    "SELECT id FROM commands WHERE withheld IS NULL ORDER BY id DESC LIMIT ?",
    limit,
  );
}

export const findOldCommand = finder(
  `SELECT id, status, service_id AS "serviceId", action,
       prepare_command_id AS "prepareCommandId", payload
     FROM commands WHERE id = ? AND withheld IS NULL`,
  (row: Omit<OldCommand, "payload"> & { payload: string }): OldCommand => ({
    ...row,
    payload: JSON.parse(row.payload),
  }),
);

/** `secrets` is null if they must not be kept. */
export async function replacePayload(
  tx: Tx,
  id: string,
  { payload, withheld }: PayloadParts,
  secrets: Json[] | null,
): Promise<void> {
  await run(tx)`UPDATE commands SET payload = ${JSON.stringify(payload)},
     withheld = ${JSON.stringify(withheld)}, secrets = ${toJsonColumn(secrets)} WHERE id = ${id}`;
}

export function listFingerprints(
  db: Reader,
  commandId: string,
): Promise<{ id: string; fingerprint: string }[]> {
  return all(db)`SELECT id, fingerprint FROM command_results WHERE command_id = ${commandId}`;
}

export async function setFingerprint(tx: Tx, resultId: string, fingerprint: string): Promise<void> {
  await run(tx)`UPDATE command_results SET fingerprint = ${fingerprint} WHERE id = ${resultId}`;
}
