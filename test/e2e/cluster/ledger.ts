// What the nodes have confirmed, and whether it is in the database.

import { expect } from "vitest";
import { hashToken } from "../../../src/core/access/credentials.ts";
import { send } from "../../helpers/process/process.ts";
import type { TestCluster } from "./cluster.ts";

export class Ledger {
  /** The agents' tokens by agent id. */
  readonly registrations = new Map<string, string>();
  /** The keys in the payloads of acknowledged commands, by command id. */
  readonly commands = new Map<string, string>();
  /** The acknowledged outcomes by command id. */
  readonly results = new Map<string, { status: string; output: unknown }>();
  readonly cancellations = new Set<string>();
  /** Commands that had ended before the only attempt to cancel them. */
  readonly refusedCancellations = new Set<string>();
  /** The ids that publishers gave their bus events. */
  readonly events = new Set<string>();
  /** Tokens that an acknowledged call has revoked. */
  readonly revoked = new Set<string>();
  /** How often each command reached an agent. */
  readonly received = new Map<string, number>();
  heartbeats = 0;
  /** How many calls were left without a result, by reason: an error's code, or 503. */
  readonly failures = new Map<string, number>();
  /** Responses that no fault explains. */
  readonly strange: unknown[] = [];

  get size(): number {
    const kinds = [this.registrations, this.commands, this.results, this.cancellations];
    return [...kinds, this.events, this.revoked].reduce((sum, { size }) => sum + size, 0);
  }

  toString(): string {
    const { registrations, commands, results, cancellations, events, revoked } = this;
    const failures = [...this.failures].map(([reason, count]) => `${count} ${reason}`);
    return (
      `${registrations.size} registrations, ${commands.size} commands, ${results.size} results, ` +
      `${cancellations.size} cancellations, ${events.size} events, ${revoked.size} revocations, ` +
      `${this.heartbeats} heartbeats; calls without a result: ${failures.join(", ") || "none"}`
    );
  }
}

/** The audit actions that record the end of a command, as an SQL list. */
const ends = "'command.completed', 'command.failed', 'command.cancelled', 'command.expired'";

/**
 * Each entry has a query that returns ids, with the number of audit rows that each must have, and
 * the action of these rows.
 */
const audited = [
  ["SELECT id, 1 FROM agents", "agent.registered"],
  [
    "SELECT agent_id, COUNT(*) FROM agent_tokens WHERE revoked_reason = 'REVOKED' GROUP BY agent_id",
    "agent.token.revoked",
  ],
  ["SELECT id, 1 FROM registration_tokens", "registration_token.created"],
  ["SELECT id, 1 FROM commands", "command.created"],
  ["SELECT id, 1 FROM commands WHERE started_at IS NOT NULL", "command.dispatched"],
  ["SELECT id, deliveries - 1 FROM commands WHERE deliveries > 1", "command.redelivered"],
  ["SELECT id, 1 FROM bus_events", "bus.event.received"],
] as const;

/**
 * Checks the ledger against the database after all commands have ended, and verifies the audit
 * trail.
 */
export async function checkLedger(ledger: Ledger, cluster: TestCluster): Promise<void> {
  expect(ledger.strange.slice(0, 20)).toEqual([]);
  const table = async <T extends unknown[]>(sql: string) => (await cluster.rows(sql)) as T[];

  const agents = new Set((await table("SELECT id FROM agents")).flat());
  expect([...ledger.registrations.keys()].filter((id) => !agents.has(id))).toEqual([]);
  const revoked = await table<[string]>(
    "SELECT token_hash FROM agent_tokens WHERE revoked_at IS NOT NULL",
  );
  const hashes = new Set(revoked.flat());
  expect([...ledger.revoked].filter((token) => !hashes.has(hashToken(token)))).toEqual([]);

  const commands = new Map(
    (await table<[string, string, string]>("SELECT id, status, payload FROM commands")).map(
      ([id, status, payload]) => [id, { status, key: JSON.parse(payload).key as string }],
    ),
  );
  expect([...ledger.commands].filter(([id, key]) => commands.get(id)?.key !== key)).toEqual([]);
  // A call that was repeated has created only one command.
  const keys = [...commands.values()].map(({ key }) => key);
  expect(keys.length).toBe(new Set(keys).size);
  expect(
    [...ledger.cancellations].filter((id) => commands.get(id)?.status !== "CANCELLED"),
  ).toEqual([]);
  expect(
    [...ledger.refusedCancellations].filter((id) => commands.get(id)?.status === "CANCELLED"),
    "a cancellation was made twice",
  ).toEqual([]);
  expect([...ledger.received].filter(([, count]) => count > 1)).toEqual([]);

  const outputs = new Map(
    (await table<[string, string]>("SELECT command_id, output_json FROM command_results")).map(
      ([id, output]) => [id, JSON.parse(output)],
    ),
  );
  const lost = [...ledger.results].filter(
    ([id, { status, output }]) => commands.get(id)?.status !== status || outputs.get(id) !== output,
  );
  expect(lost).toEqual([]);

  const events = new Set((await table("SELECT event_id FROM bus_events")).flat());
  expect([...ledger.events].filter((id) => !events.has(id))).toEqual([]);

  const wrongEnds = await table(
    `SELECT commands.id, commands.status, COUNT(audit_events.seq) FROM commands
       LEFT JOIN audit_events ON target_id = commands.id AND audit_events.action IN (${ends})
     GROUP BY commands.id, commands.status
     HAVING COUNT(audit_events.seq) <> 1 OR commands.completed_at IS NULL`,
  );
  expect(wrongEnds).toEqual([]);
  for (const [subjects, action] of audited) {
    const wrong = await table(
      `SELECT COALESCE(subject, target_id), wanted, COUNT(seq)
         FROM (${subjects}) AS subjects (subject, wanted)
         FULL JOIN (SELECT seq, target_id FROM audit_events WHERE action = '${action}') AS written
           ON target_id = subject
       GROUP BY subject, target_id, wanted HAVING COUNT(seq) <> COALESCE(wanted, 0)`,
    );
    expect(wrong.slice(0, 5), `audit rows of ${action}`).toEqual([]);
  }
  const counted = await table(
    "SELECT status, count FROM command_outcomes WHERE count > 0 ORDER BY status",
  );
  const real = await table("SELECT status, COUNT(*) FROM commands GROUP BY status ORDER BY status");
  expect(counted).toEqual(real);
  const sequence = (await table("SELECT seq FROM audit_events ORDER BY seq")).flat().map(Number);
  expect(sequence).toEqual(sequence.map((_, index) => index + 1));
  const path = "/api/admin/audit-events/verify";
  const verified = await send(cluster.url, "GET", path, { bearer: cluster.key });
  expect(verified.body.data).toMatchObject({ ok: true });
}
