// Shows a status as text with a colour and a shape, so that the status is clear without the colour.

import { type ReactNode, useState } from "react";
import type { DangerLevel } from "../../domain/fleet/services.ts";
import { type Tone, toneOf } from "../format/status.ts";
import { texts } from "../texts/index.ts";
import "./status-badge.css";

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
