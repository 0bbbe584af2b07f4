// An agent in its own process, which prints "started".
// Usage: agent-program.ts SERVER STATE_DIR REGISTRATION_TOKEN

import type * as library from "../../src/agent/index.ts";

const [server = "", stateDir = "", registrationToken = ""] = process.argv.slice(2);
const { createAgent }: typeof library = await import(String(process.env.AGENT_LIBRARY));

const agent = createAgent({
  server,
  stateDir,
  registrationToken,
  agent: { code: "edge-1", mode: "embedded" },
});
agent.service({ code: "collector", name: "Collector", version: "1.0.0", health: "UP" }).action({
  name: "work",
  execute: () => null,
});

await agent.start();
console.log("started");
