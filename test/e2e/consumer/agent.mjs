// An agent in plain JavaScript that uses the installed package. Usage: node agent.mjs URL FOLDER, with
// the registration token in REGISTRATION_TOKEN.

import { ActionError, createAgent } from "platform/agent";

const [server, stateDir] = process.argv.slice(2);
const agent = createAgent({
  server,
  stateDir,
  agent: { code: "consumer", mode: "embedded" },
  registrationToken: process.env.REGISTRATION_TOKEN,
  onEvent: ({ message }) => console.error(message),
});
agent.service({ code: "pages", name: "Pages", version: "1.0.0", health: () => "UP" }).action({
  name: "greet",
  execute({ name }) {
    if (name === undefined) throw new ActionError("NOBODY", "There is nobody to greet.");
    return { greeting: `Hello, ${name}` };
  },
});
process.once("SIGTERM", () => void agent.stop());
await agent.start();
console.log("started");
