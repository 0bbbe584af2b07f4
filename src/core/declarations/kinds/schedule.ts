import { AppError } from "../../../domain/errors.ts";
import type { JsonObject } from "../../../domain/payload/json.ts";
import type { Schedule, ScheduleRule } from "../../../domain/schedules/schedules.ts";
import { type Edit, wholeTarget } from "../../../domain/schedules/target-secrets.ts";
import { isoTime } from "../../../lib/iso-time.ts";
import { jsonEqual } from "../../../lib/json/json-equal.ts";
import type { Reader } from "../../../store/database.ts";
import {
  findSchedule,
  listAllSchedules,
  setScheduleFile,
} from "../../../store/tables/schedules.ts";
import type { Ctx } from "../../context.ts";
import { demandForSchedule } from "../../schedules/approval.ts";
import {
  asShown,
  createScheduleIn,
  deleteScheduleIn,
  editOf,
  requireConfirmed,
  requireSecrets,
  updateScheduleIn,
} from "../../schedules/changes.ts";
import { toScheduleSummaries } from "../../schedules/views.ts";
import { warningsOf } from "../../schedules/warnings.ts";
import { type DocumentOf, type Kind, type StoredRow, storedOf } from "../kind.ts";

type StoredSchedule = StoredRow & { schedule: Schedule };

/**
 * `[REDACTED]` in the place of a stored secret keeps it, as in an update by hand. A secret that is
 * written out always counts as changed.
 */
export const scheduleKind: Kind<DocumentOf<"Schedule">, StoredSchedule> = {
  owned: true,
  nameOf: ({ name }) => name,
  async list(_, db) {
    const schedules = await listAllSchedules(db);
    return schedules.map((schedule) => ({ ...storedOf(schedule), schedule }));
  },
  async issuesOf(ctx, db, document, item) {
    try {
      requireSecrets(await editFrom(ctx, db, document, item?.schedule));
      await requireConfirmed(db, document.target);
      return [];
    } catch (error) {
      if (!(error instanceof AppError) || error.code === "UNAVAILABLE") throw error;
      return [{ path: "target", message: error.message }];
    }
  },
  async compare(ctx, db, document, item) {
    const edit = await editFrom(ctx, db, document, item?.schedule);
    const before = item && (await formOfStored(db, item));
    const after = formOf({ ...document, target: edit.target });
    const given = edit.gives
      ? { secrets: edit.secrets, replaced: item?.schedule.secretsGiven ?? null }
      : null;
    return { before, after, isSame: jsonEqual(before, after) && given === null, given };
  },
  formOf: formOfStored,
  create: async (ctx, tx, document, { origin, breakGlass }) =>
    (await createScheduleIn(ctx, tx, ruleOf(document), origin, breakGlass)).id,
  update: (ctx, tx, { schedule }, document, { origin, breakGlass }) =>
    updateScheduleIn(ctx, tx, schedule, ruleOf(document), origin, breakGlass),
  noteFile: (tx, { id }, _, { file }) => setScheduleFile(tx, { id, declaredFile: file }),
  delete: (ctx, tx, { schedule }, origin) => deleteScheduleIn(ctx, tx, schedule, origin),
  async warningsOf(ctx, db, document, id) {
    const schedule = id === null ? null : await findSchedule(db, id);
    try {
      return await warningsOf(ctx, wholeTarget(await editFrom(ctx, db, document, schedule)));
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

async function editFrom(
  ctx: Ctx,
  db: Reader,
  { target }: DocumentOf<"Schedule">,
  stored: Schedule | null | undefined,
): Promise<Edit> {
  const [before = null] = stored ? await asShown(db, [stored]) : [];
  return editOf(ctx, db, target, before);
}

async function formOfStored(db: Reader, { schedule }: StoredSchedule): Promise<JsonObject> {
  const [shown = schedule] = await asShown(db, [schedule]);
  return formOf(shown);
}

function ruleOf({ kind: _, ...rule }: DocumentOf<"Schedule">): ScheduleRule {
  return rule;
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
