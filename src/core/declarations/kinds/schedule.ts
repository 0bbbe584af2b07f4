import { AppError } from "../../../domain/errors.ts";
import type { JsonObject } from "../../../domain/payload/json.ts";
import type {
  Schedule,
  ScheduleRule,
  ScheduleTarget,
} from "../../../domain/schedules/schedules.ts";
import { wholeTarget, withKeptSecrets } from "../../../domain/schedules/target-secrets.ts";
import { isoTime } from "../../../lib/iso-time.ts";
import { jsonEqual } from "../../../lib/json/json-equal.ts";
import {
  findSchedule,
  listAllSchedules,
  setScheduleFile,
} from "../../../store/tables/schedules.ts";
import { demandForSchedule } from "../../schedules/approval.ts";
import {
  createScheduleIn,
  deleteScheduleIn,
  partsOf,
  requireConfirmed,
  requireSecrets,
  updateScheduleIn,
} from "../../schedules/changes.ts";
import { toScheduleSummaries } from "../../schedules/views.ts";
import { warningsOf } from "../../schedules/warnings.ts";
import { type DocumentOf, type Kind, type StoredRow, storedOf } from "../kind.ts";

type StoredSchedule = StoredRow & { schedule: Schedule };

/** `[REDACTED]` in the place of a stored secret keeps it, as in an update by hand. */
export const scheduleKind: Kind<DocumentOf<"Schedule">, StoredSchedule> = {
  owned: true,
  nameOf: ({ name }) => name,
  async list(_, db) {
    const schedules = await listAllSchedules(db);
    return schedules.map((schedule) => ({ ...storedOf(schedule), schedule }));
  },
  async issuesOf(_, db, document, item) {
    try {
      const target = wholeOf(document, item?.schedule);
      requireSecrets(target);
      await requireConfirmed(db, target);
      return [];
    } catch (error) {
      if (!(error instanceof AppError) || error.code === "UNAVAILABLE") throw error;
      return [{ path: "target", message: error.message }];
    }
  },
  async compare(_, db, document, item) {
    const target = wholeOf(document, item?.schedule);
    const parts = await partsOf(db, target);
    const before = item && formOf(item.schedule);
    const after = formOf({ ...document, target: parts.target });
    const hasSameSecrets = item !== null && isSame(wholeTarget(item.schedule), wholeTarget(parts));
    return { before, after, isSame: jsonEqual(before, after) && hasSameSecrets };
  },
  formOf: async (_, { schedule }) => formOf(schedule),
  create: async (ctx, tx, document, { origin, breakGlass }) =>
    (await createScheduleIn(ctx, tx, ruleOf(document), origin, breakGlass)).id,
  update: (ctx, tx, { schedule }, document, { origin, breakGlass }) =>
    updateScheduleIn(ctx, tx, schedule, ruleOf(document), origin, breakGlass),
  noteFile: (tx, { id }, _, { file }) => setScheduleFile(tx, { id, declaredFile: file }),
  delete: (ctx, tx, { schedule }, origin) => deleteScheduleIn(ctx, tx, schedule, origin),
  async warningsOf(ctx, db, document, id) {
    const schedule = id === null ? null : await findSchedule(db, id);
    try {
      return await warningsOf(ctx, wholeOf(document, schedule));
    } catch (error) {
      // Which services a rollout chooses can change, so that it may need no confirmation later.
      if (error instanceof AppError && error.code === "CONFIRMATION_REQUIRED")
        return [error.message];
      throw error;
    }
  },
  async needsApproval(ctx, db, document) {
    return document.state === "ENABLED" && (await demandForSchedule(ctx, db, document)) !== null;
  },
  async isAwaitingApproval(db, id) {
    const schedule = await findSchedule(db, id);
    const [view] = schedule ? await toScheduleSummaries(db, [schedule]) : [];
    return view !== undefined && view.approvalState !== null;
  },
};

function wholeOf(
  { target }: DocumentOf<"Schedule">,
  before: Schedule | null | undefined,
): ScheduleTarget {
  return before ? withKeptSecrets(target, before) : target;
}

function ruleOf({ kind: _, ...rule }: DocumentOf<"Schedule">): ScheduleRule {
  return rule;
}

function isSame(one: unknown, other: unknown): boolean {
  return jsonEqual(JSON.parse(JSON.stringify(one)), JSON.parse(JSON.stringify(other)));
}

function formOf(rule: ScheduleRule): JsonObject {
  const { name, description, state, cron, everySeconds, timezone, target, missed, overlap } = rule;
  const until = rule.until === undefined ? undefined : isoTime(rule.until);
  const form = {
    ...{ name, description, state, cron, everySeconds, timezone, until },
    ...{ target, missed, overlap },
  };
  return JSON.parse(JSON.stringify(form));
}
