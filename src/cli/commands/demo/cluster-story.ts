// The chapters of the story that need several servers (nodes) on one PostgreSQL database.

import type { Stage } from "./stage.ts";

export async function startNodes(stage: Stage): Promise<void> {
  stage.announce(
    "Two nodes start on an empty PostgreSQL database. Both have the same two keys, which every\n" +
      "   node needs. Whoever has the database's URL and the keys has full control of the service.",
  );
  stage.say(`  the database is ${stage.database.name}`);
  await stage.startServer("node-a");
  await stage.startServer("node-b");
  await stage.operateAt("node-b");
}

export async function loseNode(stage: Stage): Promise<void> {
  stage.announce("Node-b is killed. The operator continues at node-a, where the agents are.");
  const node = stage.program("node-b");
  stage.say(`\n$ kill -9 ${node.pid}`);
  await node.stop("SIGKILL");
  await stage.operateAt("node-a");
  const clear = ["actions", "run", "page-cache", "clear", "--set", "prefix=/shop/"];
  const { stdout } = await stage.platformctl(...clear);
  stage.check("node-a runs the next action", stdout.includes("SUCCEEDED"));
  const { data: commands } = await stage.client.page("commands.list", { query: { pageSize: 200 } });
  const ended = commands.filter(({ completedAt }) => completedAt !== null);
  stage.check(
    `node-a has all ${commands.length} commands, and all have ended`,
    ended.length === commands.length && commands.length > 0,
  );
  stage.say(
    "\nA new node takes the place of node-b. The killed one stays in the list for an hour.",
  );
  await stage.startServer("node-c");
  await stage.operateAt("node-c");
  await stage.platformctl("nodes", "list");
  const { data: nodes } = await stage.client.page("nodes.list");
  const listed = nodes.map(({ url }) => url);
  const running = [stage.agentsUrl, stage.url];
  stage.check(
    "node-a and node-c are in the list",
    running.every((url) => listed.includes(url)),
  );
}

export async function revokeToken(stage: Stage): Promise<void> {
  stage.announce("The operator revokes an agent's token at node-c. Node-a refuses its next call.");
  const revoked = await stage.platformctl("agents", "revoke-token", "edge-2", "--yes");
  stage.check("the token is revoked", revoked.status === 0 && revoked.stdout.includes("revoked"));
  const pageCache = stage.program("page-cache");
  const refusal = await stage.until("node-a refuses the agent", 10, () =>
    /(?<= refused UNAUTHORIZED: ).+\n/.exec(pageCache.output()),
  );
  stage.say(`\nthe page cache's log: ${refusal[0].trimEnd()}`);
  stage.check("node-a refuses the agent's calls with UNAUTHORIZED", refusal.length > 0);
  const { stdout } = await stage.platformctl("services", "list");
  stage.check("its service counts as OFFLINE", /page-cache +OFFLINE/.test(stdout));
}
