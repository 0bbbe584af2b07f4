// The agent library, for programs that manage themselves. It guarantees that every command that it
// receives gets exactly one result and that no command runs twice, even across restarts.
//
//   const agent = createAgent({ server, agent: { code, mode: "embedded" }, stateDir, … });
//   agent.service({ code, name, version, health: () => "UP" }).action({ name, execute });
//   process.once("SIGTERM", () => void agent.stop());
//   await agent.start();

export { type Agent, createAgent, type DescriptionChange } from "./agent.ts";
export { ActionError, AgentError, type AgentErrorCode } from "./connection/errors.ts";
export { fileTokenStore, type Identity, type TokenStore } from "./connection/token-store.ts";
export type { AgentEvent, EventLevel } from "./events/events.ts";
export type {
  PublishedEvent,
  PublishOptions,
  PublishReceipt,
  ServiceEvent,
} from "./events/published-event.ts";
export type { AgentDescription, AgentOptions, Timing } from "./options.ts";
export type { ManagedService } from "./services/managed-services.ts";
export type { InputSchema, PayloadOf } from "./services/payload-of.ts";
export type {
  Action,
  ActionContext,
  ActionOutput,
  ConfigEntry,
  Health,
  Live,
  OutputWriter,
  Prepared,
  Service,
} from "./services/services.ts";
export type { DeliveredCommand, ResultCode } from "./work/commands.ts";
