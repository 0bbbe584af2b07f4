// Plans: executions that a server has signed, with everything that an operator saw when confirming
// them.

import type { DangerLevel } from "../fleet/services.ts";
import type { Json, JsonObject } from "../payload/json.ts";

/**
 * Increases when the fields of a plan change. A plan is valid for an hour, so servers need to know
 * only one version.
 */
export const planVersion = 1;

/** A plan as it is sent and written to a file. */
export interface Plan {
  version: typeof planVersion;
  /** `pln_…` */
  id: string;
  /** The same for all servers of one database, and different for all others. */
  serverId: string;
  service: { id: string; code: string };
  agent: { id: string; code: string };
  action: {
    name: string;
    label: string;
    description: string;
    dangerLevel: DangerLevel;
    requiresConfirmation: boolean;
  };
  inputSchema: JsonObject;
  initialPayload: JsonObject;
  currentState: Json;
  stateFingerprint: string;
  prepareCommandId: string;
  /** The payload, with `[REDACTED]` in place of each secret. */
  payload: JsonObject;
  /** JSON Pointers to the secrets. */
  withheld: string[];
  /** The encrypted secrets in the order of `withheld`; null if there are none. */
  sealedSecrets: string | null;
  reason: string | null;
  /** The name of the user, the API key or the local user. */
  createdBy: string | null;
  /** ISO 8601, as are all times of the API. */
  createdAt: string;
  expiresAt: string;
  signature: string;
}
