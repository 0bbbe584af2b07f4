// The colours of states: green is good, yellow is waiting, red is bad, grey is over.

import { styleText } from "node:util";

const colours = {
  green: [
    ...["ONLINE", "HEALTHY", "SUCCEEDED", "SUCCESS", "ACTIVE", "UP"],
    ...["ENABLED", "COMMAND_CREATED", "OK", "APPLIED", "SOUND", "APPROVED"],
  ],
  yellow: [
    ...["PENDING", "RUNNING", "STALE", "DEGRADED", "MEDIUM", "DRY_RUN", "WARNING"],
    ...["AWAITING_APPROVAL", "OUTDATED", "BYPASSED"],
  ],
  red: ["UNHEALTHY", "FAILED", "FAILURE", "DENIED", "DOWN", "HIGH", "BROKEN", "REJECTED"],
  gray: [
    ...["OFFLINE", "DISABLED", "CANCELLED", "UNKNOWN", "USED", "REVOKED", "EXPIRED", "SKIPPED"],
    "WITHDRAWN",
  ],
} as const;

export const colouredStates: readonly string[] = Object.values(colours).flat();

export function paintState(state: string): string {
  for (const [colour, states] of Object.entries(colours)) {
    if ((states as readonly string[]).includes(state)) {
      return styleText(colour as keyof typeof colours, state, { validateStream: false });
    }
  }
  return state;
}
