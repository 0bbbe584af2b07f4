import type { AuditAction } from "../../domain/audit/audit-events.ts";
import { type Origin, originFacts } from "../../domain/declarations.ts";
import type { Schedule } from "../../domain/schedules/schedules.ts";
import type { Tx } from "../../store/database.ts";
import { audit } from "../audit/trail.ts";
import type { Ctx } from "../context.ts";

type Event = Extract<AuditAction, `schedule.${string}`>;

export function auditSchedule(
  ctx: Ctx,
  tx: Tx,
  { id, name }: Pick<Schedule, "id" | "name">,
  event: Event,
  facts: object = {},
  origin: Origin | null = null,
): Promise<void> {
  return audit(ctx, tx, {
    action: event,
    targetId: id,
    result: event === "schedule.run.failed" ? "FAILURE" : "SUCCESS",
    metadata: { name, ...facts, ...originFacts(origin) },
  });
}
