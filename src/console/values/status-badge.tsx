// Shows a status as text with a colour and a shape, so that the status is clear without the colour.

import { type ReactNode, useState } from "react";
import type { DangerLevel } from "../../domain/services.ts";
import { texts } from "../texts/index.ts";
import "./status-badge.css";

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

/** Statuses that end by themselves. They are shown with a turning shape. */
const running: ReadonlySet<string> = new Set(["RUNNING", "CHECKING", "STARTING"]);

interface BadgeProps {
  tone: Tone;
  isRunning?: boolean;
  /** Whether the status has changed since it was first shown. */
  isChanged?: boolean;
  children: ReactNode;
}

export function Badge({ tone, isRunning = false, isChanged = false, children }: BadgeProps) {
  return (
    <span
      className={`badge tone-${tone}${isRunning ? " badge-running" : ""}`}
      data-changed={isChanged || undefined}
    >
      {children}
    </span>
  );
}

/** Shows the API's word, such as `AWAITING_APPROVAL`, in sentence case. */
export function StatusWord({ status }: { status: string }) {
  return <span className="status-word">{status.replaceAll("_", " ")}</span>;
}

/** Returns the status in sentence case as plain text: `Awaiting approval`. */
export function statusText(status: string): string {
  return status.charAt(0) + status.slice(1).toLowerCase().replaceAll("_", " ");
}

export function StatusBadge({ status }: { status: string }) {
  const [seen, setSeen] = useState({ status, isChanged: false });
  if (seen.status !== status) setSeen({ status, isChanged: true });
  return (
    // The key creates a new element for each status, so that every change lights up the row.
    <Badge
      key={status}
      tone={toneOf(status)}
      isRunning={running.has(status)}
      isChanged={seen.isChanged}
    >
      <StatusWord status={status} />
    </Badge>
  );
}

export function DangerBadge({ level }: { level: string }) {
  return <Badge tone={toneOf(level)}>{texts.actions.danger[level as DangerLevel] ?? level}</Badge>;
}
