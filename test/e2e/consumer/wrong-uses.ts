// Wrong uses of the package, none of which may compile.

// @ts-expect-error internals of the package are not exported
import { createAgent, settingsOf } from "platform/agent";
// @ts-expect-error other files of the package cannot be imported
import "platform/dist/agent/index.js";

const needed = { server: "http://127.0.0.1:8080", stateDir: "state" };
// @ts-expect-error an agent needs an identity
const agent = createAgent(needed);
// @ts-expect-error the agent may not have an id yet
agent.agentId.length;

console.log(settingsOf);
