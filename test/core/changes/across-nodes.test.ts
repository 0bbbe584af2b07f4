// What several nodes on one PostgreSQL database see of each other's changes.

import { createSecretKey } from "node:crypto";
import { describe, expect, test, vi } from "vitest";
import { Session } from "../../../src/store/engine/postgresql/connection/session.ts";
import type { TestApp } from "../../helpers/app.ts";
import { perFile } from "../../helpers/lifetime.ts";
import { hasPostgres } from "../../helpers/postgres.ts";
import { watch } from "../../helpers/process/watcher.ts";
import { size } from "../../helpers/size.ts";
import { addUser, failSignIn, trySignIn } from "../access/people.ts";
import { type Nodes, openNodes } from "../nodes.ts";
import { collector } from "../scene.ts";

const until = (check: () => unknown) => vi.waitFor(check, { timeout: 60_000, interval: 1 });
const refused = { code: "UNAUTHORIZED" };

/** For tests after which no command is open, and the agent is still online. */
const opened = perFile(() => openNodes());

/** Returns the pending answer as soon as a call waits at the node. */
async function held<T>(node: { app: { core: { doorbell: { size: number } } } }, begin: Promise<T>) {
  begin.catch(() => undefined);
  await until(() => expect(node.app.core.doorbell.size).toBeGreaterThan(0));
  return { answer: begin };
}

describe.skipIf(!hasPostgres)("a credential", () => {
  test("is refused by every node on the call after its revocation", async () => {
    const { one, other } = opened();
    const nodes = [one, other];
    const refusedTwice = Array(2).fill({ status: "rejected", reason: refused });
    for (let round = 0; round < size(2, 20); round++) {
      const by = nodes[round % 2]!.as("owner");
      const { agentToken, agentId } = await one.registerAgent(`agent-${round}`);
      const asAgent = () => nodes.map(async ({ app }) => app.core.credentials.agent(agentToken));
      await Promise.all(asAgent());
      await by.call("agents.revoke-token", { params: { agentId } });
      expect(await Promise.allSettled(asAgent())).toMatchObject(refusedTwice);

      const body = { name: "a program", role: "viewer" } as const;
      const { id: keyId, key } = await one.as("owner").call("api-keys.create", { body });
      const asProgram = () => nodes.map(({ app }) => app.core.credentials.apiKey(key));
      await Promise.all(asProgram());
      await by.call("api-keys.revoke", { params: { keyId } });
      expect(await Promise.allSettled(asProgram())).toMatchObject(refusedTwice);
    }
  });

  test("is looked up together with the others of the same turn", async () => {
    const { one } = opened();
    const tokens: string[] = [];
    for (let n = 0; n < 12; n++) tokens.push((await one.registerAgent(`agent-${n}`)).agentToken);
    const { credentials } = one.app.core;
    const query = vi.spyOn(Session.prototype, "query");
    const lookups = () =>
      query.mock.calls
        .filter(([sql]) => sql.includes("t.token_hash IN"))
        .map(([, hashes]) => hashes);
    const found = await Promise.all(tokens.map((token) => credentials.agent(token)));
    expect(found.map(({ agentCode }) => agentCode)).toEqual(
      Array.from(tokens, (_, n) => `agent-${n}`),
    );
    expect(lookups().map((hashes) => hashes?.length)).toEqual([16]);
    await Promise.all(Array.from({ length: 70 }, (_, n) => credentials.agent(tokens[n % 12]!)));
    await credentials.agent(tokens[0]!);
    expect(lookups().map((hashes) => hashes?.length)).toEqual([16, 16, 1]);
    query.mockRestore();
  });
});

describe.skipIf(!hasPostgres)("a node is woken by", () => {
  test("a command for an agent whose poll it holds, or that it takes for idle", async () => {
    const { one, there, other } = opened();
    const poll = () => there.call("agent.poll", { query: { wait: 0 } });
    expect((await poll()).commands).toEqual([]);
    const first = await one.execute();
    await until(async () => expect((await poll()).commands).toMatchObject([{ id: first }]));
    await one.result(first);
    for (let round = 0; round < size(2, 10); round++) {
      const poll = await held(other, there.call("agent.poll", { query: { wait: 30 } }));
      const id = await one.execute();
      expect((await poll.answer).commands).toMatchObject([{ id }]);
      await one.result(id);
    }
  });

  test("output of a command that it waits for, and the command's result", async () => {
    const { one, other } = opened();
    const commandId = await one.execute();
    await one.poll();
    const params = { commandId };
    const read = (after: number) =>
      other.as("viewer").call("commands.output", { params, query: { after, wait: 30 } });
    const rounds = size(2, 10);
    for (let round = 0; round < rounds; round++) {
      const reading = await held(other, read(round));
      const chunks = [{ offset: round, stream: "stdout" as const, text: "x" }];
      await one.agent.client.call("agent.output", { params, body: { chunks } });
      expect((await reading.answer).parts).toMatchObject([{ offset: round, text: "x" }]);
    }
    const query = { wait: 30 };
    const getting = await held(other, other.as("viewer").call("commands.get", { params, query }));
    const reading = read(rounds);
    await one.result(commandId);
    expect(await getting.answer).toMatchObject({ status: "SUCCEEDED" });
    expect(await reading).toMatchObject({ parts: [], complete: true });
  });

  test("each audit row, and by changes of services that have none, if it has a watcher", async () => {
    const { one, other, there } = opened();
    const watcher = await watch(other.app.core);
    const id = await one.execute();
    await watcher.until("command", (command) => command.id === id && command.status === "PENDING");
    await there.call("agent.poll", { query: { wait: 0 } });
    await watcher.until("command", (command) => command.id === id && command.status === "RUNNING");
    const health = [{ serviceCode: collector.code, healthStatus: "UP", message: "fine" }];
    await one.beat({ health });
    await watcher.until("service", ({ healthMessage }) => healthMessage === "fine");
    await one.result(id);
  });

  test("the goodbye of an agent whose poll it holds, whose calls do not bring it back, and a revocation", async () => {
    const { one, there, other } = await openNodes();
    const poll = await held(other, there.call("agent.poll", { query: { wait: 30 } }));
    const { agentId } = one.agent;
    other.app.core.presence.agents.add(agentId, one.clock.now());
    await one.agent.client.call("agent.offline", { body: {} });
    expect(await poll.answer).toEqual({ commands: [], cancelled: [] });
    expect(other.app.core.presence.agents.get(agentId)).toBeUndefined();
    const read = { params: { agentId } };
    expect(await other.as("viewer").call("agents.get", read)).toMatchObject({ status: "OFFLINE" });
    const next = await held(other, there.call("agent.poll", { query: { wait: 30 } }));
    await one.change("revoke-token");
    await until(() => expect(other.app.core.doorbell.size).toBe(0));
    await expect(next.answer).rejects.toMatchObject(refused);
  });
});

describe.skipIf(!hasPostgres)("a generated secret", () => {
  const generatedKey = "the generated key";
  const ended = async ({ one }: Nodes) => {
    const id = await one.execute();
    await one.poll();
    await one.result(id, { success: true, output: { generatedKey } });
    return id;
  };
  const shown = (node: TestApp, commandId: string, role: "operator" | "viewer" = "operator") =>
    node
      .as(role)
      .call("commands.get", { params: { commandId } })
      .then(({ result }) => (result!.output as { generatedKey: string }).generatedKey);

  test("that one node was given is stored unreadable, and shown by another node, once", async () => {
    const nodes = opened();
    const { one, other } = nodes;
    const id = await ended(nodes);
    const [row] = await one.database.read.all<{ sealed: string }>("SELECT * FROM one_time_secrets");
    const stored = JSON.stringify(row) + Buffer.from(row!.sealed, "base64").toString("latin1");
    expect(stored).not.toContain(generatedKey);
    expect(await shown(other, id, "viewer")).toBe("[REDACTED]");
    const all = await Promise.all([one, other, other, one].map((node) => shown(node, id)));
    expect(all.sort()).toEqual(["[REDACTED]", "[REDACTED]", "[REDACTED]", generatedKey]);
    expect(await one.count("one_time_secrets")).toBe(0);
  });

  test("is not shown for another command, and not taken with another key", async () => {
    const nodes = await openNodes();
    const { one, other } = nodes;
    const [first, second] = [await ended(nodes), await ended(nodes)];
    const { core } = other.app;
    const secret = core.sessionSecret;
    core.sessionSecret = createSecretKey(Buffer.from("another secret"));
    expect(await shown(other, first)).toBe("[REDACTED]");
    core.sessionSecret = secret;
    expect(await shown(other, first)).toBe(generatedKey);
    await one.elsewhere(`UPDATE one_time_secrets SET command_id = '${first}'`);
    expect(await shown(other, first)).toBe("[REDACTED]");
    expect(await shown(other, second)).toBe("[REDACTED]");
  });

  test("is kept for five minutes", async () => {
    const nodes = await openNodes();
    const { one, other } = nodes;
    const [early, late] = [await ended(nodes), await ended(nodes)];
    one.clock.advance(300_000 - 1);
    expect(await shown(other, early)).toBe(generatedKey);
    one.clock.advance(1);
    expect(await shown(other, late)).toBe("[REDACTED]");
    expect(await one.count("one_time_secrets")).toBe(1);
    await other.app.core.oneTimeSecrets.dropOld();
    expect(await one.count("one_time_secrets")).toBe(0);
  });
});

describe.skipIf(!hasPostgres)("failed sign-ins", () => {
  test("at all nodes count together, and are stored without the name", async () => {
    const { one, other } = await openNodes();
    await trySignIn(one, "a password in the wrong field", { password: "x".repeat(12) });
    const rows = await one.database.read.all("SELECT source FROM login_failures");
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toContain("wrong");
    await addUser(one, "ada");
    for (const node of [one, other, other, one]) await failSignIn(node, "ada", 1, "192.0.2.7");
    const there = { ip: "192.0.2.7" };
    await failSignIn(other, "ada", 1, there.ip);
    expect(await trySignIn(one, "ada", there)).toBe("RATE_LIMITED");
    expect(await trySignIn(other, "ada", there)).toBe("RATE_LIMITED");
    one.clock.advance(15 * 60_000);
    expect(await trySignIn(one, "ada", there)).toBe("in");
    const { failures } = one.app.core.loginGuard;
    await failures.dropOld();
    expect(await one.count("login_failures")).toBe(0);
    // The right password makes all nodes forget them.
    for (let round = 0; round < 2; round++) {
      await failSignIn(one, "ada", 4, there.ip);
      expect(await trySignIn(other, "ada", there)).toBe("in");
    }
  });
});

describe.skipIf(!hasPostgres)("a node forgets", () => {
  test("settings that another node changes, and nothing else", async () => {
    const { one, other, there } = opened();
    const { core } = other.app;
    await there.call("agent.poll", { query: { wait: 0 } });
    await there.call("agent.report", { body: { services: [collector] as never } });
    await core.settings.live.get();
    const body = { workspaceName: "Plant 7" };
    await one.as("owner").call("settings.update", { body });
    await until(async () => expect(await core.settings.live.get()).toMatchObject(body));
    expect(core.polls.idle.get(one.agent.agentId)).toBe("idle");
    expect(core.reportCache.get(one.agent.agentId)).toBeDefined();
  });

  test("the report of an agent that has sent another one to another node", async () => {
    const { one, other, there } = opened();
    const { reportCache } = other.app.core;
    const report = (version: string) => ({
      body: { services: [{ ...collector, version }] as never },
    });
    await there.call("agent.report", report("1.0.0"));
    await one.agent.client.call("agent.report", report("2.0.0"));
    await until(() => expect(reportCache.get(one.agent.agentId)).toBeUndefined());
    await there.call("agent.report", report("1.0.0"));
    expect(await one.service()).toMatchObject({ version: "1.0.0" });
  });

  test("nothing for the calls, results and signatures of other agents", async () => {
    const { one, other, there } = opened();
    const { core } = other.app;
    const idle = await one.registerAgent("idle");
    const doubts = vi.spyOn(core.feed, "doubt");
    const client = other.asPrincipal(idle.principal);
    await client.call("agent.poll", { query: { wait: 0 } });
    const heard: string[] = [];
    const stop = core.db.onForeignChange((keys) => void heard.push(...(keys ?? ["everything"])));
    const id = await one.execute();
    await one.poll();
    await one.result(id);
    await one.report([{ ...collector, version: "7" }]);
    await there.call("agent.heartbeat", { body: {} });
    await one.as("owner").call("settings.update", { body: { workspaceName: "the end" } });
    await until(() => expect(heard).toContain("settings "));
    stop();
    expect(heard).not.toContain("everything");
    expect(doubts).not.toHaveBeenCalled();
    expect(core.polls.idle.get(idle.agentId)).toBe("idle");
  });
});

test.skipIf(!hasPostgres)(
  "a cancellation ends one poll at each node, and is repeated until it is confirmed",
  async () => {
    const { one, there, other } = opened();
    const id = await one.execute();
    await one.poll();
    const poll = { query: { wait: 30, held: id } };
    const atOther = await held(other, there.call("agent.poll", poll));
    const atOne = await held(one, one.agent.client.call("agent.poll", poll));
    await other.as("operator").call("commands.cancel", { params: { commandId: id } });
    for (const { answer } of [atOther, atOne]) {
      expect(await answer).toEqual({ commands: [], cancelled: [id] });
    }
    const error = { code: "COMMAND_CANCELLED", message: "stopped" };
    const confirmed = one.result(id, { success: false, error });
    await expect(confirmed).rejects.toMatchObject({ code: "COMMAND_ALREADY_COMPLETED" });
    expect((await there.call("agent.heartbeat", { body: {} })).cancelled).toEqual([]);
  },
);
