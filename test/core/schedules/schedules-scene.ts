// A scene with a schedule of `rotate`, and the job that runs schedules.

import type { BodyInput, ReplyData } from "../../../src/api/contract/route.ts";
import type { Routes } from "../../../src/api/index.ts";
import type { Client } from "../../../src/client/client.ts";
import { runSchedules } from "../../../src/core/schedules/firing.ts";
import { collector, openScene, type Scene } from "../scene.ts";

type ScheduleInput = BodyInput<Routes["schedules.create"]>;
type ScheduleView = ReplyData<Routes["schedules.get"]>;
type RunView = ReplyData<Routes["schedules.runs"]>[number];

export const rotate = {
  ...{ kind: "action" as const, service: collector.code, action: "rotate" },
};

/** The test's clock begins at 2026-01-02T03:04:05.678Z. */
export const everyTen = {
  name: "rotate",
  cron: "*/10 * * * *",
  target: rotate,
} satisfies ScheduleInput;

export interface ScheduleScene extends Scene {
  operator: Client;
  create(input?: Partial<ScheduleInput>, client?: Client): Promise<ScheduleView>;
  getSchedule(id: string): Promise<ScheduleView>;
  /** Returns the runs, oldest first. */
  runs(id: string): Promise<RunView[]>;
  /** Returns the runs as `10:00 SUCCEEDED`, with the reason and number of missed runs, if any. */
  history(id: string): Promise<string[]>;
  /** Sets the clock to this time of the first day, lets the agent call, and then runs the job. */
  at(time: string): Promise<void>;
  /** Ends the open commands of the scene's agent. */
  endCommands(success?: boolean): Promise<void>;
  tick(): Promise<void>;
}

export async function openSchedules(): Promise<ScheduleScene> {
  const scene = await openScene();
  const { clock } = scene;
  const operator = scene.as("operator");
  const { core } = scene.app;
  const runs = async (scheduleId: string): Promise<RunView[]> => {
    const params = { scheduleId };
    const query = { pageSize: 200 };
    return (await operator.call("schedules.runs", { params, query })).reverse();
  };
  const tick = async () => {
    await runSchedules(core);
    // The job runs twice, because a run must end before the next can start.
    await runSchedules(core);
  };
  return {
    ...scene,
    operator,
    create: (input = {}, client = operator) =>
      client.call("schedules.create", { body: { ...everyTen, ...input } as ScheduleInput }),
    getSchedule: (scheduleId) => operator.call("schedules.get", { params: { scheduleId } }),
    runs,
    async history(id) {
      return (await runs(id)).map(({ dueAt, state, errorCode, missedRuns }) => {
        const more = `${errorCode ? ` ${errorCode}` : ""}${missedRuns ? ` +${missedRuns}` : ""}`;
        return `${dueAt.slice(11, 16)} ${state}${more}`;
      });
    },
    async at(time) {
      clock.advance(Date.parse(`2026-01-02T${time}Z`) - clock.now());
      await scene.beat();
      await tick();
    },
    async endCommands(success = true) {
      for (const id of await scene.poll()) await scene.result(id, { success });
      await tick();
    },
    tick,
  };
}
