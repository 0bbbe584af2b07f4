// The handlers of api/schedules.ts.

import type { schedules } from "../../api/schedules.ts";
import type { HandlersOf } from "../handlers.ts";
import { pauseAll, readPause, resumeAll, toPauseView } from "./pausing.ts";
import {
  createSchedule,
  deleteSchedule,
  getSchedule,
  listRuns,
  listSchedules,
  pauseSchedule,
  previewTiming,
  resumeSchedule,
  runSchedule,
  updateSchedule,
} from "./schedules.ts";

export const handlers: HandlersOf<typeof schedules> = {
  "schedules.list": (ctx, { query }) => listSchedules(ctx, query),
  "schedules.create": (ctx, { body }) => createSchedule(ctx, body),
  "schedules.preview": async (ctx, { body }) => previewTiming(ctx, body),
  "schedules.pause-state": async (ctx) => toPauseView(await readPause(ctx.core.db.read)),
  "schedules.pause-all": (ctx, { body }) => pauseAll(ctx, body.reason),
  "schedules.resume-all": (ctx) => resumeAll(ctx),
  "schedules.get": (ctx, { params }) => getSchedule(ctx, params.scheduleId),
  "schedules.update": (ctx, { params, body }) => updateSchedule(ctx, params.scheduleId, body),
  "schedules.delete": (ctx, { params }) => deleteSchedule(ctx, params.scheduleId),
  "schedules.pause": (ctx, { params }) => pauseSchedule(ctx, params.scheduleId),
  "schedules.resume": (ctx, { params, body }) =>
    resumeSchedule(ctx, params.scheduleId, body.breakGlass),
  "schedules.run": (ctx, { params, body }) => runSchedule(ctx, params.scheduleId, body),
  "schedules.runs": (ctx, { params, query }) => listRuns(ctx, params.scheduleId, query),
};
