// Imports everything that the library exports. This file is compiled, not run.

import {
  type Action,
  type ActionContext,
  ActionError,
  type Agent,
  type AgentDescription,
  AgentError,
  type AgentErrorCode,
  type AgentEvent,
  type AgentOptions,
  type ConfigEntry,
  createAgent,
  type DeliveredCommand,
  type EventLevel,
  fileTokenStore,
  type Health,
  type Identity,
  type InputSchema,
  type Live,
  type ManagedService,
  type PayloadOf,
  type Prepared,
  type PublishedEvent,
  type PublishOptions,
  type PublishReceipt,
  type ResultCode,
  type Service,
  type ServiceEvent,
  type Timing,
  type TokenStore,
} from "platform/agent";

export type Descriptions = [AgentDescription, Service, Action, ConfigEntry, Health, Timing];
export type Replies = [DeliveredCommand, Prepared, PublishReceipt, Identity, ActionContext];
export type Events = [AgentEvent, EventLevel, ServiceEvent, PublishedEvent, PublishOptions];
export type Codes = AgentErrorCode | ResultCode;

const tokenStore: TokenStore = fileTokenStore("/var/lib/pages/token.json");
const options: AgentOptions = {
  server: "https://agents.example.com",
  agent: { code: "pages-1", mode: "embedded", labels: { site: "north" } },
  stateDir: "/var/lib/pages/agent",
  tokenStore,
};
const version: Live<string> = async (signal) => (signal.aborted ? "1.0.0" : "2.0.0");
const agent: Agent = createAgent(options);
const pages: ManagedService = agent.service({ code: "pages", name: "Pages", version });
pages.action({
  name: "clear",
  execute: async (payload, { command, signal, log }) => {
    log("clearing", { id: command.id, aborted: signal.aborted });
    if (payload.path === "/") throw new ActionError("TOO_MUCH", "All of it?", { payload });
    return "cleared";
  },
});
// The type of the payload comes from the schema.
pages.action({
  name: "publish",
  inputSchema: {
    type: "object",
    required: ["path", "state"],
    properties: {
      path: { type: "string", minLength: 1 },
      state: { enum: ["draft", "public"] },
      copies: { type: "integer" },
      tags: { type: "array", items: { type: "string" } },
      author: { type: "object", properties: { name: { type: ["string", "null"] } } },
      theme: { $ref: "#/$defs/theme" },
    },
  },
  execute({ path, state, copies = 1, tags = [], author, theme }) {
    const exact: "draft" | "public" = state;
    const name: string | null | undefined = author?.name;
    return [path.length, exact, copies.toFixed(), tags.join(), name, typeof theme];
  },
});
interface Redirect {
  from: string;
  to: string;
}
const redirectSchema = {
  type: "object",
  required: ["from", "to"],
  properties: { from: { type: "string" }, to: { type: "string" } },
} as const satisfies InputSchema;
const redirect = ({ from, to }: Redirect): string => from.concat(to);
pages.action({ name: "redirect", inputSchema: redirectSchema, execute: redirect });
pages.action({ name: "check", inputSchema: redirectSchema, execute: ({ to }) => to.length });
pages.action<Redirect>({ name: "retry", execute: ({ from }) => from.length });
export const payload: PayloadOf<typeof redirectSchema> = { from: "/a", to: "/b" };
await agent.start().catch((error: unknown) => {
  if (!(error instanceof AgentError)) throw error;
});
const receipt = await pages.publish({ type: "page.changed", data: { by: "editor" } });
console.log(receipt.depth.toFixed(), agent.agentId);
await agent.stop({ graceSeconds: 5 });
