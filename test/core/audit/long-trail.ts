// Writes long audit trails, and changes them as an attacker without the key would.

import { onTestFinished } from "vitest";
import { audit } from "../../../src/core/audit/trail.ts";
import { systemContext } from "../../../src/core/context.ts";
import type { AuditEntry } from "../../../src/domain/audit/audit-events.ts";
import type { TestApp } from "../../helpers/app.ts";
import { forceOnPostgres, isOnPostgres } from "../../helpers/postgres-app.ts";
import { tamper as tamperWithFile } from "../../helpers/process/tamper.ts";

export const entry: AuditEntry = {
  action: "command.created",
  targetType: "command",
  targetId: "cmd_1",
  message: "because",
  metadata: { action: "rotate", serviceCode: "log-collector", attempt: 1 },
};

export async function addRows({ app }: TestApp, count: number, more: Partial<AuditEntry> = {}) {
  const ctx = systemContext(app.core);
  await app.core.db.write(async (tx) => {
    for (let i = 0; i < count; i++) await audit(ctx, tx, { ...entry, ...more });
  });
}

/** Adds copies of the newest row quickly. The copies have wrong hashes. */
export function copyRows(app: TestApp, count: number): Promise<void> {
  return tamper(
    app,
    `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${count})
     INSERT INTO audit_events SELECT seq + n, id, at, actor_type, actor_id, actor_name, action,
       target_type, target_id, result, message, ip, user_agent, request_id, metadata, hash
     FROM numbers, (SELECT * FROM audit_events ORDER BY seq DESC LIMIT 1) AS newest`,
  );
}

/** Changes the database directly, without the triggers that would prevent the change. */
export async function tamper({ config, file }: TestApp, ...statements: string[]): Promise<void> {
  const { dataDir } = config;
  if (isOnPostgres(dataDir)) return forceOnPostgres(dataDir, ...statements);
  tamperWithFile(file, ...statements);
}

/** Collects what is logged until the test ends. */
export function logged({ app }: TestApp, level: "info" | "warn" | "error") {
  const { log } = app.core;
  const lines: { fields: object; message: string }[] = [];
  const before = log[level];
  log[level] = (fields, message) => void lines.push({ fields, message });
  // All tests share one silent log.
  onTestFinished(() => {
    log[level] = before;
  });
  return lines;
}
