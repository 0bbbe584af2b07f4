// Uses every call and every type of the library. This file is compiled, not run.

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

const description: AgentDescription = {
  code: "pages-1",
  mode: "embedded",
  name: "Pages",
  version: "2.0.0",
  labels: { site: "north" },
  runtime: { name: "node", flags: ["--enable-source-maps"] },
};

let kept: Identity | null = null;
const inMemory: TokenStore = {
  read: async () => kept,
  async write(identity) {
    kept = identity;
  },
};
const timing: Timing = { heartbeatSeconds: 10, reportSeconds: 30, pollWaitSeconds: 30 };
const options: AgentOptions = {
  server: "https://agents.example.com",
  ca: undefined,
  agent: description,
  registrationToken: async () => "platform_reg_example",
  stateDir: "/var/lib/pages/agent",
  tokenStore: inMemory,
  concurrency: 8,
  timing,
  onEvent: tell,
};

function tell(event: AgentEvent): void {
  const level: EventLevel = event.level;
  const about = "commandId" in event ? event.commandId : event.type;
  if (event.type === "command.finished" && event.errorCode !== null) {
    const code: ResultCode | string = event.errorCode;
    console.log(code, event.durationMs.toFixed());
  }
  console.log(level, event.at, about, event.message);
}

const agent: Agent = createAgent(options);
createAgent({ ...options, tokenStore: fileTokenStore("/var/lib/pages/token.json") });

const health: Live<Health> = async (signal) =>
  signal.aborted ? "DOWN" : { status: "UP", message: "all is well", details: { pages: 12 } };
const configs: ConfigEntry[] = [
  { key: "root", type: "string", source: "pages.yaml", valuePreview: "/srv/pages" },
  { key: "password", type: "string", sensitive: true, secretRef: "vault:pages" },
];
const clear: Action = {
  name: "clear-cache",
  label: "Clear the cache",
  description: "Takes a minute",
  dangerLevel: "HIGH",
  requiresConfirmation: true,
  timeoutSeconds: 60,
  inputSchema: { type: "object", properties: { path: { type: "string" } } },
  prepare: async (): Promise<Prepared> => ({ initialPayload: { path: "/" }, currentState: 12 }),
  execute: async (payload, context: ActionContext) => {
    const { command, signal, log } = context;
    const { id, type, serviceCode, action, expiresAt }: DeliveredCommand = command;
    log("clearing", { id, type, serviceCode, action, expiresAt });
    if (typeof payload.path !== "string") throw new ActionError("NO_PATH", "Which?", { payload });
    await fetch(`http://127.0.0.1:9000${payload.path}`, { method: "PURGE", signal });
    return { cleared: payload.path };
  },
};
const service: Service = {
  code: "pages",
  name: "Pages",
  version: async () => "2.0.0",
  description: "Serves pages",
  runtime: { name: "node" },
  manifest: { pages: [1, 2] },
  health,
  configs,
  actions: [clear],
};
const managed: ManagedService = agent.service(service);
managed.action({ ...clear, name: "clear-all" }).action({ name: "nothing", execute: () => null });

try {
  await agent.start();
  await agent.reportNow();
  const published: ServiceEvent = { type: "page.changed", subject: "/", data: { by: "editor" } };
  const { signal } = new AbortController();
  const patience: PublishOptions = { signal };
  const receipt: PublishReceipt = await managed.publish(published, patience);
  const next: PublishedEvent = { ...published, source: "pages", causationid: receipt.id };
  const { sourceEventId, depth, receivedAt, duplicate } = await agent.publish(next);
  console.log(sourceEventId, depth.toFixed(), receivedAt, duplicate ? "again" : "new");
} catch (error) {
  if (!(error instanceof AgentError)) throw error;
  const code: AgentErrorCode = error.code;
  console.error(code === "STATE_IN_USE" ? "it runs already" : error.message);
}
const id: string | null = agent.agentId;
console.log(id, managed.code);
managed.remove();
await agent.stop({ graceSeconds: 5 });
await agent.stop();
