import { AppError } from "../../../domain/errors.ts";
import { maxSchedules } from "../../../domain/limits.ts";
import type { JsonObject } from "../../../domain/payload/json.ts";
import type {
  Schedule,
  ScheduleRule,
  ScheduleTarget,
} from "../../../domain/schedules/schedules.ts";
import {
  wholeTarget,
  withholdTarget,
  withKeptSecrets,
} from "../../../domain/schedules/target-secrets.ts";
import { isoTime } from "../../../lib/iso-time.ts";
import { canonicalJson } from "../../../lib/json/canonical-json.ts";
import { jsonEqual } from "../../../lib/json/json-equal.ts";
import { findScheduleApprovals } from "../../../store/tables/schedule-approvals.ts";
import {
  findSchedule,
  listAllSchedules,
  setScheduleFile,
} from "../../../store/tables/schedules.ts";
import { approvalFields, boundTarget } from "../../schedules/approval.ts";
import {
  createScheduleIn,
  deleteScheduleIn,
  dueAfter,
  type Examined,
  requireConfirmed,
  requireSecrets,
  schemasFor,
  updateScheduleIn,
} from "../../schedules/changes.ts";
import { Judge } from "../../schedules/judging.ts";
import { ownerOf } from "../../schedules/owner.ts";
import { warningsOf } from "../../schedules/warnings.ts";
import { type DocumentOf, type Kind, type StoredRow, storedOf } from "../kind.ts";
import type { Lookups } from "../lookups.ts";
import { policiesAfter } from "./approval-policy.ts";

type StoredSchedule = StoredRow & { schedule: Schedule };

/** `[REDACTED]` in the place of a stored secret keeps it, as in an update by hand. */
export const scheduleKind: Kind<DocumentOf<"Schedule">, StoredSchedule, Examined> = {
  owned: true,
  most: maxSchedules,
  nameOf: ({ name }) => name,
  async list(_, db) {
    const schedules = await listAllSchedules(db);
    return schedules.map((schedule) => ({ ...storedOf(schedule), schedule }));
  },
  async issuesOf(lookups, document, item) {
    try {
      const target = wholeOf(document, item?.schedule);
      requireSecrets(target);
      await requireConfirmed(lookups.db, target);
      return [];
    } catch (error) {
      if (!(error instanceof AppError) || error.code === "UNAVAILABLE") throw error;
      return [{ path: "target", message: error.message }];
    }
  },
  async compare(lookups, document, item) {
    const target = wholeOf(document, item?.schedule);
    const parts = withholdTarget(target, await schemasOnce(lookups, target));
    const before = item && formOf(item.schedule);
    const after = formOf({ ...document, target: parts.target });
    const hasSameSecrets = item !== null && isSame(wholeTarget(item.schedule), wholeTarget(parts));
    return { before, after, isSame: jsonEqual(before, after) && hasSameSecrets };
  },
  async factsOf(lookups, document, item, changes) {
    const target = wholeOf(document, item?.schedule);
    const { once, ctx } = lookups;
    const judge = await once("judge", async () => {
      return new Judge(ctx, await policiesAfter(lookups, changes));
    });
    return {
      parts: withholdTarget(target, await schemasOnce(lookups, target)),
      bound: await boundTarget(lookups.db, target),
      judged: await judge.judge(target),
      due: dueAfter(document, ctx.core.now()),
    };
  },
  formOf: async (_, { schedule }) => formOf(schedule),
  async create(ctx, tx, document, { facts, once, ...making }) {
    const owner = await once("owner", () => ownerOf(ctx, tx));
    return (await createScheduleIn(ctx, tx, ruleOf(document), { ...facts, ...making, owner })).id;
  },
  async update(ctx, tx, { schedule }, document, { facts, once, ...making }) {
    const owner = await once("owner", () => ownerOf(ctx, tx));
    await updateScheduleIn(ctx, tx, schedule, ruleOf(document), { ...facts, ...making, owner });
  },
  noteFile: (tx, { id }, _, { file }) => setScheduleFile(tx, { id, declaredFile: file }),
  delete: (ctx, tx, { schedule }, origin) => deleteScheduleIn(ctx, tx, schedule, origin),
  async warningsOf(lookups, document, id) {
    const schedule = id === null ? null : await findSchedule(lookups.db, id);
    const target = wholeOf(document, schedule);
    try {
      return await lookups.once(`warnings of ${canonicalJson(target)}`, () =>
        warningsOf(lookups.ctx, target),
      );
    } catch (error) {
      // Which services a rollout chooses can change, so that it may need no confirmation later.
      if (error instanceof AppError && error.code === "CONFIRMATION_REQUIRED")
        return [error.message];
      throw error;
    }
  },
  needsApproval: ({ state }, { judged }) => state === "ENABLED" && judged.demand !== null,
  async awaitingApproval(db, ids) {
    const requests = await findScheduleApprovals(db, ids);
    const waiting = ids.filter((id) => approvalFields(requests.get(id)).approvalState !== null);
    return new Set(waiting);
  },
};

function wholeOf(
  { target }: DocumentOf<"Schedule">,
  before: Schedule | null | undefined,
): ScheduleTarget {
  return before ? withKeptSecrets(target, before) : target;
}

function schemasOnce({ once, db }: Lookups, target: ScheduleTarget): Promise<JsonObject[]> {
  return once(`schemas of ${target.action}`, () => schemasFor(db, target));
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
