// The tones and the texts of statuses.

export type Tone = "good" | "bad" | "warn" | "idle" | "busy" | "unsure";

const statuses: Readonly<Record<Tone, readonly string[]>> = {
  good: [
    ...["HEALTHY", "ONLINE", "SUCCEEDED", "ACTIVE", "ENABLED", "COMMAND_CREATED", "SUCCESS", "UP"],
    "APPROVED",
  ],
  bad: [
    "UNHEALTHY",
    "FAILED",
    "REVOKED",
    "FAILURE",
    "HIGH",
    "DOWN",
    "REJECTED",
    "BYPASSED",
    "ERROR",
  ],
  warn: [
    ...["STALE", "EXPIRED", "DRY_RUN", "DENIED", "MEDIUM", "DEGRADED", "PAUSED", "OUTDATED"],
    ...["AWAITING_APPROVAL", "NOT_APPROVED", "FLAPPING", "LOCKED"],
  ],
  idle: [
    ...["OFFLINE", "DISABLED", "CANCELLED", "USED", "LOW", "WAITING", "NOT_RUN", "WITHDRAWN"],
    "SKIPPED",
  ],
  busy: ["PENDING", "RUNNING", "CHECKING", "STARTING"],
  unsure: ["UNKNOWN"],
};

const tones = new Map(
  Object.entries(statuses).flatMap(([tone, each]) => each.map((status) => [status, tone as Tone])),
);

/** Whether a text, such as a value from an agent, is a status that the console knows. */
export function isStatus(text: string): boolean {
  return tones.has(text);
}

export function toneOf(status: string): Tone {
  return tones.get(status) ?? "unsure";
}

/** Returns the status in sentence case as plain text: `Awaiting approval`. */
export function statusText(status: string): string {
  return status.charAt(0) + status.slice(1).toLowerCase().replaceAll("_", " ");
}

/**
 * Returns a status that an agent reported, which can be any text. Known ones are in sentence case.
 */
export function reportedText(status: string): string {
  return isStatus(status) ? statusText(status) : status;
}
