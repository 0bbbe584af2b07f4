// Two nodes on one PostgreSQL database, in one process, with one clock.

import { openTestApp, type TestAgent, type TestApp } from "../helpers/app.ts";
import { onPostgres } from "../helpers/postgres-app.ts";
import { type Scene, sceneIn } from "./scene.ts";

export interface Nodes {
  /** The agent of the scene is registered here. */
  one: Scene;
  other: TestApp;
  /** The agent's client at the other node. */
  there: TestAgent["client"];
}

export async function openNodes(env: Record<string, string> = {}): Promise<Nodes> {
  const [first, other] = await onPostgres(() => {
    const first = openTestApp(env);
    const second = openTestApp({ ...env, DATA_DIR: first.config.dataDir }, {}, first.clock);
    return [first, second];
  });
  // This opens one database after the other, because both nodes would create a missing schema.
  await first.database.durable();
  await other.database.durable();
  const one = await sceneIn(first);
  return { one, other, there: other.asPrincipal(one.agent.principal) };
}
