// Kills the server around the time at which schedules are due. Everything runs once
// (docs/guides/schedules.md).

import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../helpers/app.ts";
import { createKey } from "../../helpers/process/operator.ts";
import { platformctl, startServer } from "../../helpers/process/process.ts";
import { rowsIn } from "../../helpers/process/rows.ts";
import { clientOf, Machine, settings, startFleet } from "../rollouts/fleet.ts";
import { checkOnce, createSchedules, settle, untilTime } from "./night.ts";

const minutes = 5;
const killsEach = 3;

test(`${killsEach} kills around each of ${minutes} due times neither repeat nor forget a run`, async () => {
  const dataDir = join(temporaryFolder(), "data");
  let server = await startServer({ dataDir, env: settings });
  const port = Number(new URL(server.url).port);
  const operator = clientOf(server.url, await createKey(server));
  const machine = await Machine.start();
  await startFleet(server.url, operator, machine);
  let due = await createSchedules(operator);
  for (let minute = 0; minute < minutes; minute++) {
    for (let kill = 0; kill < killsEach; kill++) {
      await untilTime(due + (kill - 1) * 700);
      await server.kill();
      server = await startServer({ dataDir, port, env: settings });
    }
    due = (Math.floor(Date.now() / 60_000) + 1) * 60_000;
  }
  await settle(operator);
  await server.stop();
  await checkOnce((sql) => rowsIn(server.file, sql), machine);
  const verified = await platformctl(["audit", "verify", "--db", server.file]);
  expect(verified).toMatchObject({ status: 0 });
});
