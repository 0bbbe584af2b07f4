// Each of these must not compile; an expected error that does not come is an error itself.

// @ts-expect-error what the package keeps to itself is not there
import { ActionError, createAgent, fileTokenStore, settingsOf } from "platform/agent";
// @ts-expect-error nor is any other file of it
import "platform/dist/agent/index.js";

const needed = { server: "http://127.0.0.1:8080", stateDir: "state" };
// @ts-expect-error an agent says who it is
createAgent(needed);
// @ts-expect-error in full
createAgent({ ...needed, agent: { code: "pages" } });
// @ts-expect-error there is no such option
createAgent({ ...needed, agent: { code: "pages", mode: "embedded" }, heartbeat: 10 });
const agent = createAgent({ ...needed, agent: { code: "pages", mode: "embedded" } });

// @ts-expect-error a service has a version
agent.service({ code: "pages", name: "Pages" });
const pages = agent.service({ code: "pages", name: "Pages", version: "1" });
// @ts-expect-error an action does something
pages.action({ name: "clear" });
// @ts-expect-error a danger level is LOW, MEDIUM or HIGH
pages.action({ name: "clear", dangerLevel: "low", execute: () => null });
// @ts-expect-error a payload's members are JSON of any kind
pages.action({ name: "clear", execute: ({ path }) => path.length });
// @ts-expect-error the command belongs to the agent
pages.action({ name: "clear", execute: (_, { command }) => (command.id = 1) });
// @ts-expect-error an event has a source
await agent.publish({ type: "page.changed" });
// @ts-expect-error the agent has no id yet
agent.agentId.length;
// @ts-expect-error seconds are a number
await agent.stop({ graceSeconds: "5" });
// @ts-expect-error a code comes before the message
new ActionError("only this");
// @ts-expect-error a file has a name
fileTokenStore();

console.log(settingsOf);
