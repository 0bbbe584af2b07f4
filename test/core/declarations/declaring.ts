import { createHash } from "node:crypto";
import type { BodyInput } from "../../../src/api/contract/route.ts";
import type { Routes } from "../../../src/api/index.ts";
import type { Client } from "../../../src/client/client.ts";
import type { JsonObject } from "../../../src/domain/payload/json.ts";

export type ApplyBody = BodyInput<Routes["declarations.apply"]>;

/** One document for each kind, in no particular order. */
export const examples = {
  BusRoute: {
    kind: "BusRoute",
    name: "rotate",
    description: "when a log is full",
    state: "DRY_RUN",
    match: { type: "log.*", source: "log-collector", data: { "/mb": 12 } },
    target: { serviceCode: "log-collector", action: "rotate" },
    payload: { file: "/data/file", keep: { const: [1, null] } },
  },
  SavedView: {
    kind: "SavedView",
    name: "offline",
    noun: "agents",
    query: { status: "OFFLINE", sort: "-code", columns: "code,status" },
    shared: true,
  },
  Settings: { kind: "Settings", settings: { workspaceName: "Prod", auditRetentionDays: 30 } },
  Schedule: {
    kind: "Schedule",
    name: "nightly",
    description: "while nobody works",
    state: "ENABLED",
    cron: "0 3 * * 0",
    timezone: "Europe/Berlin",
    until: "2031-01-01T00:00:00.000Z",
    target: {
      kind: "action",
      service: "log-collector",
      action: "rotate",
      payload: { password: "hunter2 is not enough" },
      confirmation: true,
    },
    missed: "once",
    overlap: "wait",
  },
  ApprovalPolicy: {
    kind: "ApprovalPolicy",
    name: "production",
    description: "two pairs of eyes",
    order: 10,
    selector: "env=prod",
    action: "rotate",
    dangerLevel: "HIGH",
    approvals: 2,
    approvers: { role: "owner" },
    expiresAfterSeconds: 3600,
  },
} as const satisfies Record<string, JsonObject>;

/** The schedule with its stored secret redacted. */
export const redactedSchedule = {
  ...examples.Schedule,
  target: { ...examples.Schedule.target, payload: { password: "[REDACTED]" } },
};

export function requestOf(documents: readonly object[], more: Partial<ApplyBody> = {}): ApplyBody {
  return {
    documents: documents.map((document, at) => ({
      file: `file-${at}.yaml`,
      digest: createHash("sha256").update(JSON.stringify(document)).digest("hex"),
      document: document as ApplyBody["documents"][number]["document"],
    })),
    ...more,
  };
}

export function apply(client: Client, documents: readonly object[], more?: Partial<ApplyBody>) {
  return client.call("declarations.apply", { body: requestOf(documents, more) });
}

export function preview(client: Client, documents: readonly object[], more?: Partial<ApplyBody>) {
  return client.call("declarations.preview", { body: requestOf(documents, more) });
}

/** Returns a line for each change, such as `created BusRoute rotate`. */
export function said({ changes }: { changes: { change: string; kind: string; name: string }[] }) {
  return changes.map(({ change, kind, name }) => `${change} ${kind} ${name}`);
}
