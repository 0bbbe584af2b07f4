// An agent with the forwarding adapter, for the tests to kill. It says what happens, line by line.
// Usage: forwarding-program.ts SERVER STATE_DIR REGISTRATION_TOKEN EVENTS_URL

import { createEmit } from "../../src/agent/events.ts";
import { createAgent } from "../../src/agent/index.ts";
import { Forwarder } from "../../src/agent/sidecar/forwarder.ts";

const [server = "", stateDir = "", registrationToken = "", url = ""] = process.argv.slice(2);

const say = (event: object) => console.log(JSON.stringify(event));
const agent = createAgent({
  server,
  stateDir,
  registrationToken,
  agent: { code: "edge-1", mode: "sidecar" },
  timing: { backoffMinSeconds: 0.02, backoffMaxSeconds: 0.2 },
  onEvent: say,
});
agent.service({ code: "shop", name: "Shop", version: "1.0.0", health: "UP" });
const forwarder = new Forwarder({
  serviceCode: "shop",
  bus: { url, headers: {}, intervalMs: 100, timeoutMs: 5000 },
  place: { folder: "/", env: {} },
  stateDir,
  publish: agent.publish,
  emit: createEmit(say),
});
await agent.start();
await forwarder.start(new AbortController().signal);
