// An agent that the tests kill. Each run of its action adds a line to a file, so that a second run
// is visible. Usage: crash-agent.ts SERVER STATE_DIR REGISTRATION_TOKEN FILE SERVICES

import { appendFileSync } from "node:fs";
import type * as library from "../../../src/agent/index.ts";

const [server = "", stateDir = "", registrationToken = "", file = "", services = ""] =
  process.argv.slice(2);
const { createAgent }: typeof library = await import(String(process.env.AGENT_LIBRARY));

const agent = createAgent({
  server,
  stateDir,
  registrationToken,
  agent: { code: "edge-1", mode: "embedded" },
  concurrency: 16,
  timing: { backoffMinSeconds: 0.05, backoffMaxSeconds: 0.2, heartbeatSeconds: 1 },
});
for (let number = 0; number < Number(services); number++) {
  agent.service({ code: `service-${number}`, name: `Service ${number}`, version: "1" }).action({
    name: "work",
    execute: ({ hang }, { command, output }) => {
      appendFileSync(file, `${command.id}\n`);
      output.write(command.id);
      return hang ? new Promise(() => undefined) : "done";
    },
  });
}
await agent.start();
console.log("started");
