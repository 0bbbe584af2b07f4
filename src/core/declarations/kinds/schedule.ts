import { AppError, refusalIn } from "../../../domain/errors.ts";
import { maxSchedules } from "../../../domain/limits.ts";
import type { JsonObject } from "../../../domain/payload/json.ts";
import type { Schedule, ScheduleRule } from "../../../domain/schedules/schedules.ts";
import { type Edit, wholeTarget } from "../../../domain/schedules/target-secrets.ts";
import { isoTime } from "../../../lib/iso-time.ts";
import { canonicalJson } from "../../../lib/json/canonical-json.ts";
import { jsonEqual } from "../../../lib/json/json-equal.ts";
import { findScheduleApprovals } from "../../../store/tables/approvals/schedule-approvals.ts";
import {
  findSchedule,
  listAllSchedules,
  scheduleRows,
} from "../../../store/tables/schedules/schedules.ts";
import { neededFor } from "../../approvals/permits.ts";
import { ScheduleDemands } from "../../approvals/schedule-demands.ts";
import { approvalFields, basisOfSchedule, boundTarget } from "../../approvals/schedules.ts";
import type { Lookups } from "../../lookups.ts";
import {
  asShown,
  createScheduleIn,
  deleteScheduleIn,
  type Examined,
  editOf,
  examineWith,
  requireConfirmed,
  requireSecrets,
  revised,
  updateScheduleIn,
} from "../../schedules/changes.ts";
import { ownerOf } from "../../schedules/owner.ts";
import { warningsOf } from "../../schedules/warnings.ts";
import { type DocumentOf, type Kind, type StoredRow, storedOf } from "../kind.ts";
import { policiesAfter } from "./approval-policy.ts";
import { operatorLabelsAfter } from "./settings.ts";

type StoredSchedule = StoredRow & { schedule: Schedule };

/**
 * `[REDACTED]` keeps stored secrets as in an update through the API. A secret that is written out
 * always counts as changed.
 */
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
      requireSecrets(await editFrom(lookups, document, item?.schedule));
      await requireConfirmed(lookups.db, document.target);
      return [];
    } catch (error) {
      return [{ path: "target", message: refusalIn(error).message }];
    }
  },
  async compare(lookups, document, item) {
    const edit = await editFrom(lookups, document, item?.schedule);
    const before = item && (await formOfStored(lookups, item));
    const after = formOf({ ...document, target: edit.target });
    const given = edit.gives
      ? { secrets: edit.secrets, replaced: item?.schedule.secretsGiven ?? null }
      : null;
    return { before, after, isSame: jsonEqual(before, after) && given === null, given };
  },
  async factsOf(lookups, document, item, changes) {
    const judge = await lookups.once("judge", async () => {
      return new ScheduleDemands(lookups.ctx, {
        policies: await policiesAfter(lookups, changes),
        operatorLabels: await operatorLabelsAfter(lookups, changes),
      });
    });
    const before = item && (await asShown(lookups, item.schedule));
    return examineWith(lookups, document, before, await judge.judge(document.target));
  },
  formOf: formOfStored,
  async create(ctx, tx, document, { facts, once, ...making }) {
    const owner = await once("owner", () => ownerOf(ctx, tx));
    return (await createScheduleIn(ctx, tx, ruleOf(document), { ...facts, ...making, owner })).id;
  },
  async update(ctx, tx, { schedule }, document, { facts, once, ...making }) {
    const owner = await once("owner", () => ownerOf(ctx, tx));
    await updateScheduleIn(ctx, tx, schedule, ruleOf(document), { ...facts, ...making, owner });
  },
  noteFile: (tx, { id }, _, { file }) => scheduleRows.setFile(tx, id, file),
  delete: (ctx, tx, { schedule }, { origin }) => deleteScheduleIn(ctx, tx, schedule, origin),
  async warningsOf(lookups, document, id, changes) {
    const schedule = id === null ? null : await findSchedule(lookups.db, id);
    const target = wholeTarget(await editFrom(lookups, document, schedule));
    const operatorLabels = await operatorLabelsAfter(lookups, changes);
    try {
      return await lookups.once(`warnings of ${canonicalJson(target)}`, () =>
        warningsOf(lookups.ctx, target, operatorLabels),
      );
    } catch (error) {
      // The services that a rollout chooses can change, so it may not need confirmation later.
      if (error instanceof AppError && error.code === "CONFIRMATION_REQUIRED")
        return [error.message];
      throw error;
    }
  },
  async needsApproval({ ctx, db }, document, item, facts) {
    const { demand } = facts.judged;
    if (document.state === "PAUSED" || demand === null) return false;
    if (item === null) return true;
    const { after } = revised(item.schedule, ruleOf(document), facts);
    return neededFor(demand, await basisOfSchedule(ctx.core, db, after)) !== null;
  },
  async awaitingApproval(db, ids) {
    const requests = await findScheduleApprovals(db, ids);
    const waiting = ids.filter((id) => approvalFields(requests.get(id)).approvalState !== null);
    return new Set(waiting);
  },
};

async function editFrom(
  lookups: Lookups,
  { target }: DocumentOf<"Schedule">,
  stored: Schedule | null | undefined,
): Promise<Edit> {
  const before = stored ? await asShown(lookups, stored) : null;
  return editOf(lookups, target, before, await boundTarget(lookups.db, target));
}

async function formOfStored(lookups: Lookups, { schedule }: StoredSchedule): Promise<JsonObject> {
  return formOf(await asShown(lookups, schedule));
}

function ruleOf({ kind: _, ...rule }: DocumentOf<"Schedule">): ScheduleRule {
  return rule;
}

function formOf(rule: ScheduleRule): JsonObject {
  const { name, description, state, cron, everySeconds, timezone, target, missed, overlap } = rule;
  const until = rule.until === undefined ? undefined : isoTime(rule.until);
  const form = {
    name,
    description,
    state,
    cron,
    everySeconds,
    timezone,
    until,
    target,
    missed,
    overlap,
  };
  return JSON.parse(JSON.stringify(form));
}
