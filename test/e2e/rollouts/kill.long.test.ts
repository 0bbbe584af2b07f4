// Kills the server again and again during a rollout on the services of real sidecars. The action
// runs once on each service, and the rollout ends (docs/guides/rollouts.md).

import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../helpers/app.ts";
import { createKey } from "../../helpers/process/operator.ts";
import { platformctl, startServer, until } from "../../helpers/process/process.ts";
import { rowsIn } from "../../helpers/process/rows.ts";
import {
  checkSucceeded,
  clientOf,
  createRollout,
  Machine,
  services,
  settings,
  startFleet,
} from "./fleet.ts";

const kills = 10;
const maxParallel = 4;

test("kills of the server during a rollout neither repeat nor forget a service", async () => {
  const dataDir = join(temporaryFolder(), "data");
  let server = await startServer({ dataDir, env: settings });
  const port = Number(new URL(server.url).port);
  const operator = clientOf(server.url, await createKey(server));
  const machine = await Machine.start({ takesMs: 20 });
  await startFleet(server.url, operator, machine);
  const rolloutId = await createRollout(operator, maxParallel);
  for (let kill = 1; kill <= kills; kill++) {
    const enough = Math.floor((services * kill) / (kills + 2));
    await until("more services have run", () => machine.executions.length >= enough);
    await server.kill();
    server = await startServer({ dataDir, port, env: settings });
  }
  await until("the rollout has ended", async () => {
    const { completedAt } = await operator.call("rollouts.get", { params: { rolloutId } });
    return completedAt !== null;
  });
  await server.stop();
  await checkSucceeded((sql) => rowsIn(server.file, sql), machine, maxParallel);
  const verified = await platformctl(["audit", "verify", "--db", server.file]);
  expect(verified).toMatchObject({ status: 0 });
});
