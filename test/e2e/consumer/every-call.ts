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
  type Live,
  type ManagedService,
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
export type Answers = [DeliveredCommand, Prepared, PublishReceipt, Identity, ActionContext];
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
await agent.start().catch((error: unknown) => {
  if (!(error instanceof AgentError)) throw error;
});
const receipt = await pages.publish({ type: "page.changed", data: { by: "editor" } });
console.log(receipt.depth.toFixed(), agent.agentId);
await agent.stop({ graceSeconds: 5 });
