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
const service = agent.service({ code: "pages", name: "Pages", version: "1.0.0" });
const properties = { path: { type: "string" } } as const;
service.action({
  name: "clear",
  inputSchema: { type: "object", required: ["path"], properties },
  // @ts-expect-error the schema has no such property
  execute: ({ paht }) => paht,
});
service.action({
  name: "show",
  inputSchema: { type: "object", properties },
  // @ts-expect-error the schema does not require the property
  execute: ({ path }) => path.length,
});
// @ts-expect-error the given type has no such property
service.action<{ path: string }>({ name: "open", execute: ({ paht }) => paht });

console.log(settingsOf);
