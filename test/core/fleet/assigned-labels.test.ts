// Neither an agent nor an operator can get around the labels that owners assign.

import { describe, expect, test } from "vitest";
import type { Client } from "../../../src/client/client.ts";
import { openTestApp, type ServiceInput, type TestAgent } from "../../helpers/app.ts";
import { minute } from "../access/people.ts";
import { expectInvalid, expectRefused, outcome } from "../refusals.ts";
import { registering } from "../registering.ts";

const wipe = { name: "wipe", prepare: false } as const;
const store = (labels: object = {}, code = "store"): ServiceInput => ({
  ...{ code, name: "A store", version: "1", healthStatus: "UP", labels, actions: [wipe] },
});

/** Two agents: prod, with the service `store`, and rogue, which belongs to an attacker. */
async function openFleet() {
  const app = openTestApp();
  const { invite, register } = registering(app);
  const owner = app.as("owner");
  const operator = app.as("operator");
  const join = async (code: string, labels: Record<string, string>, services: ServiceInput[]) => {
    const registered = await register(await invite(), { code, labels }, { services });
    const principal = await app.app.core.credentials.agent(registered.agentToken);
    return { ...registered, principal, client: app.asPrincipal(principal) } as TestAgent;
  };
  const prod = await join("prod", { env: "prod" }, [store({ tier: "payments" })]);
  const rogue = await join("rogue", { env: "dev" }, [store({}, "toy")]);
  const { data: services } = await operator.page("services.list");
  const idOf = (code: string) => services.find((one) => one.code === code)!.id;
  const serviceId = idOf("store");
  const label = (agent: TestAgent, labels: Record<string, string | null>, client = owner) =>
    client.call("agents.label", { params: { agentId: agent.agentId }, body: { labels } });
  const labelService = (labels: Record<string, string | null>, code = "store", client = owner) =>
    client.call("services.label", { params: { serviceId: idOf(code) }, body: { labels } });
  const policy = (selector: string) =>
    owner.call("approval-policies.create", {
      body: { name: selector, selector, approvers: { role: "owner" } },
    });
  return {
    ...app,
    ...{ invite, register, owner, operator, prod, rogue, serviceId, idOf, join },
    ...{ label, labelService, policy },
    reserve: (...operatorLabels: string[]) =>
      owner.call("settings.update", { body: { operatorLabels } }),
    report: ({ client }: TestAgent, services: ServiceInput[]) =>
      client.call("agent.report", { body: { services: services as never } }),
    beat: ({ client }: TestAgent, labels: Record<string, string>) =>
      client.call("agent.heartbeat", { body: { agent: { labels } } as never }),
    move: (to: TestAgent, client: Client = operator) =>
      client.call("services.move", { params: { serviceId }, body: { agentId: to.agentId } }),
    /** Lets time pass without calls until every agent is silent. */
    async silence() {
      app.clock.advance(20 * minute);
      await app.as("owner").call("maintenance.run");
    },
    async labelsOf(code: string) {
      const { data } = await operator.page("services.list", { query: { q: code } });
      return data.find((one) => one.code === code)?.labels;
    },
    /** Returns the name of the policy that applies to `wipe` of the store, or null. */
    async policyNow() {
      const query = { serviceId, action: "wipe" };
      return (await operator.call("approval-policies.test", { query })).policy?.name ?? null;
    },
    /** Returns the codes of the agents that would get the payload of a rollout by this selector. */
    async chosen(selector: string) {
      const body = { action: "wipe", selector, offline: "wait" } as const;
      const { waves } = await operator.call("rollouts.preview", { body });
      return waves.flatMap((wave) => wave.services.map(({ agentCode }) => agentCode)).sort();
    },
  };
}

type Fleet = Awaited<ReturnType<typeof openFleet>>;

/** Tries to take the store out of the policy `env=prod`. */
const leaving: Record<string, (fleet: Fleet) => Promise<unknown>> = {
  "the agent reports another value": ({ beat, prod }) => beat(prod, { env: "dev" }),
  "the agent drops the label": ({ beat, prod }) => beat(prod, {}),
  "the service has a label of its own": ({ report, prod }) => report(prod, [store({ env: "dev" })]),
  "the service has an empty label": ({ report, prod }) => report(prod, [store({ env: "" })]),
  "the agent registers again with other labels": async ({ owner, register }) => {
    const labels = { env: "prod" };
    const body = { replace: true, labels };
    const { token } = await owner.call("registration-tokens.create", { body });
    await register(token, { code: "prod", labels: { env: "dev" } }, { services: [store()] });
  },
  "an operator registers it again": async ({ register, invite }) => {
    const token = await invite({ replace: true });
    const again = register(token, { code: "prod", labels: {} });
    expect(await outcome(again)).toBe("REGISTRATION_TOKEN_NOT_FOR_THIS_AGENT");
  },
  "an owner's token for another environment registers it": async ({ owner, register }) => {
    const body = { replace: true, labels: { env: "dev" } };
    const { token } = await owner.call("registration-tokens.create", { body });
    const again = register(token, { code: "prod", labels: {} });
    expect(await outcome(again)).toBe("REGISTRATION_TOKEN_NOT_FOR_THIS_AGENT");
  },
  "an operator changes the label": ({ label, prod, operator }) =>
    expectRefused(label(prod, { env: "dev" }, operator), "FORBIDDEN", { needed: "owner" }),
  "an operator removes it": ({ label, prod, operator }) =>
    expectRefused(label(prod, { env: null }, operator), "FORBIDDEN"),
  "an operator assigns one to the service": ({ labelService, operator }) =>
    expectRefused(labelService({ env: "dev" }, "store", operator), "FORBIDDEN"),
};

describe("a policy cannot be left", () => {
  test("of an agent's assigned label", async () => {
    const fleet = await openFleet();
    await fleet.label(fleet.prod, { env: "prod" });
    await fleet.policy("env=prod");
    for (const [way, attempt] of Object.entries(leaving)) {
      await attempt(fleet);
      expect(await fleet.policyNow(), way).toBe("env=prod");
      expect(await fleet.labelsOf("store"), way).toMatchObject({ env: "prod" });
      expect(await fleet.chosen("env=prod"), way).toEqual(["prod"]);
    }
  });

  test("of a service's assigned label", async () => {
    const fleet = await openFleet();
    await fleet.labelService({ env: "prod" });
    await fleet.policy("env=prod");
    // The other ways are about a label of the agent itself.
    const ways = Object.entries(leaving).filter(([way]) => !/registers|changes|removes/.test(way));
    for (const [way, attempt] of ways) {
      await attempt(fleet);
      expect(await fleet.policyNow(), way).toBe("env=prod");
    }
  });

  test("of a service by its deletion", async () => {
    const { labelService, silence, operator, owner, serviceId, prod } = await openFleet();
    await labelService({ env: "prod" });
    await silence();
    const call = { params: { serviceId } };
    await expectRefused(operator.call("services.delete", call), "FORBIDDEN", { needed: "owner" });
    const agent = { params: { agentId: prod.agentId } };
    await expectRefused(operator.call("agents.delete", agent), "FORBIDDEN");
    await owner.call("services.delete", call);
  });

  test("of an agent by its deletion", async () => {
    const { label, silence, operator, owner, prod } = await openFleet();
    await label(prod, { env: "prod" });
    await silence();
    const agent = { params: { agentId: prod.agentId } };
    await expectRefused(operator.call("agents.delete", agent), "FORBIDDEN", { needed: "owner" });
    expect(await owner.call("services.list", { query: { agentId: prod.agentId } })).toHaveLength(1);
    await owner.call("agents.delete", agent);
  });

  test("of a negative selector, with a key that agents cannot report", async () => {
    const { policy, policyNow, beat, prod, reserve, report } = await openFleet();
    await policy("env notin (dev)");
    await beat(prod, { env: "dev" });
    expect(await policyNow()).toBe(null);
    await reserve("env");
    expect(await policyNow()).toBe("env notin (dev)");
    await report(prod, [store({ env: "dev" })]);
    expect(await policyNow()).toBe("env notin (dev)");
  });
});

/** Tries to get the payload of a rollout for `tier=payments` to the agent `rogue`. */
const entering: Record<string, (fleet: Fleet) => Promise<unknown>> = {
  "a heartbeat claims the label": ({ beat, rogue }) => beat(rogue, { tier: "payments" }),
  "a report claims it for a service": ({ report, rogue }) =>
    report(rogue, [store({ tier: "payments" }, "toy")]),
  "a new agent claims it": ({ join }) => join("other", { tier: "payments" }, [store({}, "other")]),
  "a new service claims it": ({ report, rogue }) =>
    report(rogue, [store({}, "toy"), store({ tier: "payments" }, "new")]),
  "an operator's token would assign it": async ({ invite }) =>
    expectRefused(invite({ labels: { tier: "payments" } }), "FORBIDDEN", { needed: "owner" }),
  "an operator moves the service": ({ move, rogue }) =>
    expectRefused(move(rogue), "FORBIDDEN", { needed: "owner" }),
  "a report takes the service over from a silent agent": async ({ silence, report, rogue }) => {
    await silence();
    const { rejected } = await report(rogue, [store({}, "toy"), store()]);
    expect(rejected).toMatchObject([{ code: "store", reason: "SERVICE_CODE_TAKEN" }]);
    // An identical report is not parsed again.
    const again = await report(rogue, [store({}, "toy"), store()]);
    expect(again.rejected).toEqual(rejected);
  },
  "another program registers as the agent": async ({ silence, register, invite }) => {
    await silence();
    const again = register(await invite(), { code: "prod" }, { services: [store()] });
    expect(await outcome(again)).toBe("REGISTRATION_TOKEN_NOT_FOR_THIS_AGENT");
  },
};

test("a rollout's payload goes to nobody else", async () => {
  const fleet = await openFleet();
  await fleet.labelService({ tier: "payments" });
  await fleet.reserve("tier");
  for (const [way, attempt] of Object.entries(entering)) {
    await attempt(fleet);
    expect(await fleet.chosen("tier=payments"), way).toEqual(["prod"]);
  }
});

describe("a service with assigned labels can move", () => {
  test("to an agent with the same labels, by a report and by an operator", async () => {
    const { labelService, label, rogue, prod, silence, report, move, labelsOf } = await openFleet();
    await labelService({ env: "prod", tier: "payments" });
    await label(rogue, { env: "prod" });
    await silence();
    expect((await report(rogue, [store()])).rejected).toHaveLength(1);
    await label(rogue, { tier: "payments", extra: "" });
    expect(await report(rogue, [store()])).not.toHaveProperty("rejected");
    expect(await labelsOf("store")).toEqual({ env: "prod", tier: "payments", extra: "" });
    await report(prod, []);
    await label(prod, { env: "prod", tier: "payments" });
    expect((await move(prod)).agentCode).toBe("prod");
  });

  test("to any agent, if an owner moves it", async () => {
    const { labelService, rogue, move, owner } = await openFleet();
    await labelService({ env: "prod" });
    expect(await move(rogue, owner)).toMatchObject({
      agentCode: "rogue",
      labels: { env: "prod" },
    });
  });

  test("a token's labels are assigned to the agent that it registers, in addition to the others", async () => {
    const { owner, register, label, prod } = await openFleet();
    const create = async (labels: Record<string, string>) =>
      owner.call("registration-tokens.create", { body: { replace: true, labels } });
    const made = await create({ env: "prod", team: "web" });
    expect(made.labels).toEqual({ env: "prod", team: "web" });
    const { agentId } = await register(made.token, { code: "new", labels: { env: "x", a: "b" } });
    const detail = await owner.call("agents.get", { params: { agentId } });
    expect(detail.labels).toEqual({ env: "prod", team: "web", a: "b" });
    expect(detail.labelSources).toEqual([
      { key: "env", value: "prod", source: "ASSIGNED", of: "AGENT", state: "USED" },
      { key: "team", value: "web", source: "ASSIGNED", of: "AGENT", state: "USED" },
      { key: "env", value: "x", source: "REPORTED", of: "AGENT", state: "OVERRIDDEN" },
      { key: "a", value: "b", source: "REPORTED", of: "AGENT", state: "USED" },
    ]);
    await label(prod, { env: "prod" });
    const { token } = await create({ env: "prod", tier: "db" });
    await register(token, { code: "prod" });
    const again = await owner.call("agents.get", { params: { agentId: prod.agentId } });
    expect(again.labels).toEqual({ env: "prod", tier: "db" });
  });

  test("an agent with labelled services registers again with a token of an owner", async () => {
    const { labelService, register, invite, owner } = await openFleet();
    await labelService({ env: "prod" });
    const byOperator = register(await invite({ replace: true }), { code: "prod" });
    expect(await outcome(byOperator)).toBe("REGISTRATION_TOKEN_NOT_FOR_THIS_AGENT");
    const { token } = await owner.call("registration-tokens.create", { body: { replace: true } });
    await register(token, { code: "prod" });
  });

  test("an owner's token for an agent's code has the agent's labels, if none are given", async () => {
    const { label, prod, register, owner, operator } = await openFleet();
    await label(prod, { env: "prod" });
    const body = { agentCode: "prod", replace: true };
    const create = (by: typeof owner, labels?: object) =>
      by.call("registration-tokens.create", { body: { ...body, ...labels } });
    expect(await create(operator)).toMatchObject({ labels: {} });
    expect(await create(owner, { labels: {} })).toMatchObject({ labels: {} });
    const { token, labels } = await create(owner);
    expect(labels).toEqual({ env: "prod" });
    await register(token, { code: "prod", labels: {} });
  });
});

describe("assigned labels", () => {
  test("are set and removed together, and audited in one row", async () => {
    const { label, prod, owner, reserve } = await openFleet();
    await label(prod, { env: "prod", team: "web" });
    const after = await label(prod, { env: "test", team: null, tier: "" });
    expect(after.labels).toEqual({ env: "test", tier: "" });
    await label(prod, { env: "test", missing: null });
    const query = { action: "agent.labels.changed" };
    expect(await owner.call("audit-events.list", { query })).toMatchObject([
      {
        targetId: prod.agentId,
        metadata: {
          code: "prod",
          changes: {
            env: { from: "prod", to: "test" },
            team: { from: "web", to: null },
            tier: { from: null, to: "" },
          },
        },
      },
      { metadata: { changes: { env: { from: null, to: "prod" } } } },
    ]);
    await label(prod, { env: null });
    expect((await label(prod, { tier: null })).labels).toEqual({ env: "prod" });
    await reserve("env");
    const detail = await owner.call("agents.get", { params: { agentId: prod.agentId } });
    expect(detail.labels).toEqual({});
    expect(detail.labelSources).toMatchObject([{ key: "env", value: "prod", state: "IGNORED" }]);
  });

  test("of a service win over those of its agent, and both over reported ones", async () => {
    const { label, labelService, prod, owner, serviceId, report, beat } = await openFleet();
    await beat(prod, { a: "1", b: "1", c: "1", d: "1" });
    await report(prod, [store({ a: "2", b: "2", c: "2" })]);
    await label(prod, { a: "3", b: "3" });
    await labelService({ a: "4" });
    const service = await owner.call("services.get", { params: { serviceId } });
    expect(service.labels).toEqual({ a: "4", b: "3", c: "2", d: "1" });
    expect(
      service.labelSources.map(({ key, value, source, of, state }) =>
        [key, value, source, of, state].join(" "),
      ),
    ).toEqual([
      "a 4 ASSIGNED SERVICE USED",
      "a 3 ASSIGNED AGENT OVERRIDDEN",
      "b 3 ASSIGNED AGENT USED",
      "a 2 REPORTED SERVICE OVERRIDDEN",
      "b 2 REPORTED SERVICE OVERRIDDEN",
      "c 2 REPORTED SERVICE USED",
      "a 1 REPORTED AGENT OVERRIDDEN",
      "b 1 REPORTED AGENT OVERRIDDEN",
      "c 1 REPORTED AGENT OVERRIDDEN",
      "d 1 REPORTED AGENT USED",
    ]);
  });

  test("have limits", async () => {
    const { label, prod, reserve } = await openFleet();
    const many = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, n) => [`key-${n}`, "x"]));
    await label(prod, many(64));
    await expectInvalid(label(prod, { another: "x" }), "labels");
    await label(prod, { "key-0": null, another: "x" });
    await expectInvalid(label(prod, { "": "x" }), "labels.");
    await expectInvalid(label(prod, { long: "x".repeat(201) }), "labels.long");
    await expectInvalid(reserve("a,b"), "operatorLabels.0");
  });
});

describe("a selector by labels that agents report", () => {
  const evades = /Agents can evade this policy, because they can report the label "env"\./;
  const enters =
    /Agents can change whether (a run selects )?their services( are selected)?, because/;

  test("is named with a policy, until owners have assigned them or reserved the key", async () => {
    const { policy, owner, label, prod, reserve, join } = await openFleet();
    const { id: policyId, warnings } = await policy("env=prod");
    expect(warnings).toEqual([expect.stringMatching(evades)]);
    const now = async () =>
      (await owner.call("approval-policies.get", { params: { policyId } })).warnings;
    await label(prod, { env: "prod" });
    expect(await now()).toEqual([]);
    await join("third", { env: "prod" }, [store({}, "third")]);
    expect(await now()).toEqual([expect.stringMatching(evades)]);
    await reserve("env", "tier");
    expect(await now()).toEqual([]);
    await reserve();
    expect((await policy("env notin (dev),!canary")).warnings).toEqual([
      expect.stringContaining('they can report the labels "env", "canary".'),
    ]);
    expect((await policy("env=nowhere")).warnings).toHaveLength(1);
  });

  test("is named with a rollout and with a schedule", async () => {
    const { operator, label, prod, reserve } = await openFleet();
    const preview = async () => {
      const body = { action: "wipe", selector: "env=prod" };
      return (await operator.call("rollouts.preview", { body })).warnings;
    };
    let schedules = 0;
    const scheduled = async () => {
      const target = { kind: "rollout" as const, action: "wipe", selector: "env=prod" };
      const body = { name: `wipe ${schedules++}`, everySeconds: 3600, target };
      return (await operator.call("schedules.create", { body })).warnings;
    };
    expect(await preview()).toEqual([expect.stringMatching(enters)]);
    expect(await scheduled()).toEqual([expect.stringMatching(enters)]);
    await label(prod, { env: "prod" });
    expect(await preview()).toEqual([]);
    expect(await scheduled()).toEqual([expect.stringMatching(enters)]);
    await reserve("env");
    expect(await scheduled()).toEqual([]);
  });
});
