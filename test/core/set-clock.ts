import { moveDeadlines } from "../../src/core/clock/deadlines.ts";
import type { TestApp } from "../helpers/app.ts";

/** Sets the wall clock forward or back, and lets the job run that corrects times after that. */
export async function setClock({ app: { core }, clock }: TestApp, byMs: number): Promise<void> {
  core.statusClock.watch();
  clock.jump(byMs);
  core.statusClock.watch();
  await moveDeadlines(core);
}
