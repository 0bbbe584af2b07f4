// Wrong uses of the library, none of which may compile.

// @ts-expect-error internals of the package are not exported
import { ActionError, createAgent, fileTokenStore, settingsOf } from "platform/agent";
// @ts-expect-error other files of the package cannot be imported
import "platform/dist/agent/index.js";

const needed = { server: "http://127.0.0.1:8080", stateDir: "state" };
// @ts-expect-error an agent needs an identity
createAgent(needed);
// @ts-expect-error the identity must be complete
createAgent({ ...needed, agent: { code: "pages" } });
// @ts-expect-error the option does not exist
createAgent({ ...needed, agent: { code: "pages", mode: "embedded" }, heartbeat: 10 });
const agent = createAgent({ ...needed, agent: { code: "pages", mode: "embedded" } });

// @ts-expect-error a service needs a version
agent.service({ code: "pages", name: "Pages" });
const pages = agent.service({ code: "pages", name: "Pages", version: "1" });
// @ts-expect-error an action needs a function
pages.action({ name: "clear" });
// @ts-expect-error a danger level is LOW, MEDIUM or HIGH
pages.action({ name: "clear", dangerLevel: "low", execute: () => null });
// @ts-expect-error a payload's members can be any JSON value
pages.action({ name: "clear", execute: ({ path }) => path.length });
// @ts-expect-error the command is read-only
pages.action({ name: "clear", execute: (_, { command }) => (command.id = 1) });
// @ts-expect-error an event needs a source
await agent.publish({ type: "page.changed" });
// @ts-expect-error the agent may not have an id yet
agent.agentId.length;
// @ts-expect-error seconds must be a number
await agent.stop({ graceSeconds: "5" });
// @ts-expect-error an error needs a code before the message
new ActionError("only this");
// @ts-expect-error a file token store needs a file name
fileTokenStore();

console.log(settingsOf);
