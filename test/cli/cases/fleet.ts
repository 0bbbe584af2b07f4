// Golden cases for agents, services, actions and commands.

import { fileWith, type World } from "../world.ts";
import type { Case, Cases } from "./case.ts";

const disableSleeping = async ({ as, sleeping: { agentId } }: World) => {
  await as("owner").call("agents.disable", { params: { agentId } });
};

/** Adds an agent with a revoked token and a service `retired`. */
async function retiredAgent({ as, registerAgent }: World): Promise<void> {
  const service = { code: "retired", name: "Retired", version: "1" };
  const { agentId } = await registerAgent("edge-3", [service]);
  await as("owner").call("agents.revoke-token", { params: { agentId } });
}

/** Creates a command that has failed, and that succeeds when it is retried. */
async function failedOnce(world: World): Promise<string> {
  const { client } = await world.registerAgent("edge-3", [
    { code: "moody", name: "Moody", version: "1", actions: [{ name: "try" }] },
  ]);
  const reportNext = async (body: { success: boolean }) => {
    const { commands } = await client.call("agent.poll", { query: { wait: 30 } });
    for (const { id } of commands) {
      await client.call("agent.result", { params: { commandId: id }, body });
    }
  };
  const commandId = await world.execute("moody", "try");
  await reportNext({ success: false });
  void reportNext({ success: true });
  return commandId;
}

const planned = { name: "clean", inputSchema: { properties: { all: { type: "boolean" } } } };

/** Adds the service `disk`, whose agent compares states and ends two commands. */
async function planningAgent(world: World): Promise<void> {
  const services = [{ code: "disk", name: "Disk", version: "1", actions: [planned] }];
  const { client } = await world.registerAgent("edge-3", services);
  await client.call("agent.report", { body: { features: ["plan"], services } });
  const output = { currentState: { files: 3 }, stateFingerprint: "3 files" };
  const endNext = async () => {
    const { commands } = await client.call("agent.poll", { query: { wait: 30 } });
    for (const { id } of commands) {
      const body = { success: true, output };
      await client.call("agent.result", { params: { commandId: id }, body });
    }
  };
  endNext()
    .then(endNext)
    .catch(() => undefined);
}

/** Returns the file of a plan, whose command will succeed. */
async function planFile(world: World): Promise<string> {
  await planningAgent(world);
  const owner = world.as("owner");
  const { data } = await owner.page("services.list", { query: { q: "disk" } });
  const params = { serviceId: data[0]?.id ?? "", actionName: "clean" };
  const { command } = await owner.call("actions.prepare", { params });
  const body = { prepareCommandId: command?.id ?? "" };
  return fileWith(await owner.call("plans.create", { params, body }), "clean.plan");
}

const snoring = async (world: World) => [await world.execute("sleeper", "snore")];

const listedActions: Case = {
  reads: true,
  words: () => ["log-collector"],
  route: "services.get",
  printsPart: true,
  same: async (api) => {
    const { data } = await api.page("services.list", { query: { q: "log-collector" } });
    const params = { serviceId: data[0]?.id ?? "" };
    return (await api.call("services.get", { params })).actions;
  },
};

/** Adds two services with the same problem. */
async function sickAgent({ registerAgent }: World): Promise<void> {
  const health = { status: "DOWN", message: "port 8080 is closed" };
  const services = ["web-1", "web-2"].map((code) => ({ code, name: code, version: "1", health }));
  await registerAgent("edge-3", services);
}

const sickServices = async (world: World) => {
  await sickAgent(world);
  return ["web-1", "web-2"];
};

export const fleet: Cases = {
  "attention list": {
    once: true,
    words: async (world) => {
      await sickAgent(world);
      return [];
    },
    route: "attention.get",
    printsPart: true,
    same: async (api) => (await api.call("attention.get")).open.groups,
  },
  "attention acknowledge": {
    words: async (world) => [...(await sickServices(world)), "--note", "on it"],
    route: "attention.acknowledge",
    said: (printed) => printed,
  },
  "attention silence": {
    words: async (world) => [...(await sickServices(world)), "--for", "8h"],
    route: "attention.silence",
    said: (printed) => printed,
  },
  "attention clear": {
    words: async (world) => {
      const [first = ""] = await sickServices(world);
      const { open } = await world.as("owner").call("attention.get");
      const serviceIds = open.groups.flatMap(({ first }) => first.map(({ id }) => id));
      await world.as("owner").call("attention.silence", { body: { serviceIds, seconds: 900 } });
      return [first];
    },
    route: "attention.clear",
    said: (printed) => printed,
  },
  "agents list": {
    words: () => ["--status", "ONLINE", "--mode", "sidecar", "--sort", "code"],
    route: "agents.list",
    reads: true,
  },
  "agents get": { words: () => ["edge-1"], route: "agents.get", reads: true },
  "agents label": {
    words: () => ["edge-1", "env=prod", "team=shop", "gone-"],
    route: "agents.label",
    like: "agents get",
  },
  "agents disable": { words: () => ["edge-2"], route: "agents.disable", like: "agents get" },
  "agents enable": {
    words: async (world) => {
      await disableSleeping(world);
      return ["edge-2"];
    },
    route: "agents.enable",
    like: "agents get",
  },
  "agents revoke-token": {
    words: () => ["edge-2", "--yes"],
    route: "agents.revoke-token",
    like: "agents get",
  },
  "agents delete": {
    words: async (world) => {
      await retiredAgent(world);
      return ["edge-3", "--yes"];
    },
    route: "agents.delete",
  },
  "agents wait": {
    once: true,
    words: async (world) => {
      await disableSleeping(world);
      return ["edge-2", "--for", "disabled"];
    },
    route: "agents.get",
    like: "agents get",
  },
  "services list": { route: "services.list", reads: true },
  "services get": { words: () => ["log-collector"], route: "services.get", reads: true },
  "services history": { words: () => ["sleeper"], route: "services.history", reads: true },
  "services label": {
    words: () => ["log-collector", "tier=logs"],
    route: "services.label",
    like: "services get",
  },
  "services move": {
    words: () => ["sleeper", "--to", "edge-1"],
    route: "services.move",
    like: "services get",
  },
  "services actions": { ...listedActions, like: "actions list" },
  "services delete": {
    onlyTable: true,
    words: async (world) => {
      await retiredAgent(world);
      return ["retired", "--yes"];
    },
    route: "services.delete",
  },
  "services wait": {
    once: true,
    words: async (world) => {
      await disableSleeping(world);
      return ["sleeper", "--for", "offline"];
    },
    route: "services.get",
    like: "services get",
  },
  "actions list": listedActions,
  "actions prepare": {
    words: () => ["log-collector", "set-level"],
    route: "actions.prepare",
    same: (api, { command }) => api.call("commands.get", { params: { commandId: command.id } }),
    part: "command",
  },
  "actions run": {
    words: () => ["log-collector", "rotate-log", "--set", "file=app.log", "--yes"],
    route: "commands.get",
  },
  "actions plan": {
    words: async (world) => {
      await planningAgent(world);
      return ["disk", "clean", "--set", "all=true"];
    },
    route: "plans.create",
    varies: ["plan"],
  },
  "actions apply": {
    words: async (world) => [await planFile(world)],
    route: "commands.get",
  },
  "commands list": {
    once: true,
    words: async (world) => {
      await snoring(world);
      return [];
    },
    route: "commands.list",
  },
  "commands get": {
    once: true,
    words: snoring,
    route: "commands.get",
  },
  "commands wait": {
    once: true,
    words: async (world) => [await world.execute("log-collector", "set-level")],
    route: "commands.get",
    like: "commands get",
  },
  "commands cancel": { words: snoring, route: "commands.cancel", like: "commands get" },
  "commands retry": { words: async (world) => [await failedOnce(world)], route: "commands.get" },
};
