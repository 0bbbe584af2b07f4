// A status, as text with a colour and a shape: nobody has to see the colour.

import type { ReactNode } from "react";
import "./status-badge.css";

export type Tone = "good" | "bad" | "warn" | "idle" | "busy" | "unsure";

const tones: Readonly<Record<string, Tone>> = {
  HEALTHY: "good",
  UNHEALTHY: "bad",
  STALE: "warn",
  OFFLINE: "idle",
  UNKNOWN: "unsure",
  ONLINE: "good",
  DISABLED: "idle",
  PENDING: "busy",
  RUNNING: "busy",
  SUCCEEDED: "good",
  FAILED: "bad",
  CANCELLED: "idle",
  ACTIVE: "good",
  USED: "idle",
  REVOKED: "bad",
  EXPIRED: "warn",
  ENABLED: "good",
  DRY_RUN: "warn",
  COMMAND_CREATED: "good",
  SUCCESS: "good",
  FAILURE: "bad",
  DENIED: "warn",
  LOW: "idle",
  MEDIUM: "warn",
  HIGH: "bad",
  UP: "good",
  DEGRADED: "warn",
  DOWN: "bad",
};

export function toneOf(status: string): Tone {
  return tones[status] ?? "unsure";
}

export function Badge({ tone, children }: { tone: Tone; children: ReactNode }) {
  return <span className={`badge tone-${tone}`}>{children}</span>;
}

export function StatusBadge({ status, tone }: { status: string; tone?: Tone }) {
  return <Badge tone={tone ?? toneOf(status)}>{status.replaceAll("_", " ")}</Badge>;
}
