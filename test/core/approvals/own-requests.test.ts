// Nobody can approve their own request, by any means.

import { describe, expect, test } from "vitest";
import type { Client } from "../../../src/client/client.ts";
import type { Database } from "../../../src/store/database.ts";
import { withKey } from "../access/people.ts";
import { outcome } from "../refusals.ts";
import { type Approvals, openApprovals, purge, storage } from "./scene.ts";

/** Asks for approval. Returns the request's id and the client that tries to approve it. */
type Attempt = (scene: Approvals) => Promise<{ id: string; by: Client }>;

const own: Record<string, Attempt> = {
  "in another session": async ({ ask, ann }) => ({ id: await ask(ann.client), by: ann.elsewhere }),
  "asked with an API key of the same user": async ({ ask, ann }) => ({
    id: await ask(await ann.key()),
    by: ann.client,
  }),
  "approved with an API key of the same user": async ({ ask, ann }) => ({
    id: await ask(ann.client),
    by: await ann.key(),
  }),
  "asked with an API key that an owner created for the user": async (scene) => {
    const { ask, ann, olga } = scene;
    const { key } = await keyFor(olga.client, ann.username);
    return { id: await ask(await withKey(scene, key)), by: ann.client };
  },
  "asked with an API key that the approver created for another user": async (scene) => {
    const { ask, ann, olga } = scene;
    const { key } = await keyFor(olga.client, ann.username);
    return { id: await ask(await withKey(scene, key)), by: olga.client };
  },
  "the same, after that key was deleted": async (scene) => {
    const { ask, ann, olga } = scene;
    const { id: keyId, key } = await keyFor(olga.client, ann.username);
    const id = await ask(await withKey(scene, key));
    await olga.client.call("api-keys.revoke", { params: { keyId } });
    await olga.client.call("api-keys.delete", { params: { keyId } });
    return { id, by: olga.client };
  },
  "renamed, and another user has the old name": async (scene) => {
    const { ann, ask, change, person } = scene;
    const id = await ask(ann.client);
    await change(ann.id, { username: "anna" });
    await person("ann", "operator");
    return { id, by: ann.elsewhere };
  },
  "named in the policy": async (scene) => {
    const { addPolicy, ask, ann } = scene;
    await addPolicy({ name: "named", order: 1, approvers: { users: ["ann", "ben"] } });
    return { id: await ask(ann.client), by: ann.client };
  },
  "through a rollout": async ({ ann }) => ({ id: await askForRollout(ann.client), by: ann.client }),
  "through the retry of a rollout": async (scene) => {
    const { ann, ben, reject } = scene;
    const first = await askForRollout(ben.client);
    const { subjectId } = await reject(first, ann.client);
    const params = { rolloutId: subjectId ?? "" };
    const body = { rest: true, confirmation: true };
    const again = await ann.client.call("rollouts.retry", { params, body });
    return { id: again.approvalId ?? "", by: ann.client };
  },
  "through the retry of a command": async (scene) => {
    const { ann, ask, approve, ben, owner } = scene;
    const { commandId } = await approve(await ask(ben.client), ann.client);
    const params = { commandId: commandId ?? "" };
    await owner.call("commands.cancel", { params });
    const body = { confirmation: true };
    const { approval } = await ann.client.call("commands.retry", { params, body });
    return { id: approval?.id ?? "", by: ann.client };
  },
  "through the apply of a plan": async ({ ann, agent, serviceId }) => {
    const services = [{ ...storage, actions: [{ ...purge, prepare: true }] }] as never;
    await agent.client.call("agent.report", { body: { services, features: ["plan"] } });
    const params = { serviceId, actionName: "purge" };
    const prepared = ann.client.call("actions.prepare", { params });
    const { commands } = await agent.client.call("agent.poll", { query: { wait: 20 } });
    const result = { success: true, output: { currentState: {}, stateFingerprint: "empty" } };
    await agent.client.call("agent.result", {
      params: { commandId: commands[0]?.id ?? "" },
      body: result,
    });
    const prepareCommandId = (await prepared).command?.id ?? "";
    const plan = await ann.client.call("plans.create", { params, body: { prepareCommandId } });
    const body = { plan: plan as never, confirmation: true };
    const { approval } = await ann.client.call("plans.apply", { body });
    return { id: approval?.id ?? "", by: ann.client };
  },
  "through a schedule": async ({ ann }) => {
    const { approvalId } = await ann.client.call("schedules.create", { body: nightly });
    return { id: approvalId ?? "", by: ann.client };
  },
  "through a run of their schedule, which was then deleted": async ({ ann, ben, owner }) => {
    const target = { kind: "rollout" as const, action: "purge", selector: "env=prod" };
    const body = { ...nightly, target: { ...target, confirmation: true } };
    const params = { scheduleId: (await ann.client.call("schedules.create", { body })).id };
    await ben.client.call("schedules.run", { params, body: {} });
    await ann.client.call("schedules.delete", { params });
    const [request] = await owner.call("approvals.list", { query: { kind: "rollout" } });
    return { id: request?.id ?? "", by: ann.client };
  },
  "through a declared schedule": async ({ ann, owner }) => {
    const document = { kind: "Schedule" as const, ...nightly };
    const documents = [{ file: "nightly.yaml", digest: "0".repeat(64), document }];
    await ann.client.call("declarations.apply", { body: { documents } });
    const [request] = await owner.call("approvals.list");
    return { id: request?.id ?? "", by: ann.client };
  },
};

const keyFor = (by: Client, user: string) =>
  by.call("api-keys.create", { body: { name: `for ${user}`, role: "operator", user } });

const nightly = {
  name: "nightly",
  cron: "0 3 * * *",
  target: { kind: "action" as const, service: storage.code, action: "purge", confirmation: true },
};

async function askForRollout(by: Client): Promise<string> {
  const body = { action: "purge", selector: "env=prod", confirmation: true };
  const { approvalId } = await by.call("rollouts.create", { body });
  return approvalId ?? "";
}

describe("nobody approves or rejects their own request", () => {
  test.each(Object.entries(own))("%s", async (_, attempt) => {
    const scene = await openApprovals();
    const before = (await scene.commands()).length;
    const { id, by } = await attempt(scene);
    expect(await outcome(scene.approve(id, by))).toBe("OWN_REQUEST");
    expect(await outcome(scene.reject(id, by))).toBe("OWN_REQUEST");
    expect(await scene.detail(id)).toMatchObject({ state: "AWAITING_APPROVAL", decisions: [] });
    const pending = (await scene.commands()).filter(({ status }) => status === "PENDING");
    expect(pending).toEqual([]);
    expect(before).toBe(0);
    expect(await scene.trail(id)).toMatchObject([
      { action: "approval.requested" },
      { action: "approval.refused", result: "DENIED", metadata: { code: "OWN_REQUEST" } },
      { action: "approval.refused", result: "DENIED", metadata: { code: "OWN_REQUEST" } },
    ]);
  });
});

/** Holds the first write back until the second arrives, so that both share a transaction. */
function pairWrites(database: Database): void {
  const batch = database.batch.bind(database);
  const waiting: (() => void)[] = [];
  database.batch = async (handler, item, key) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    waiting.push(resolve);
    if (waiting.length > 1) for (const go of waiting) go();
    await promise;
    return batch(handler, item, key);
  };
}

test("users who ask in the same transaction are different requesters", async () => {
  const { database, run, ann, ben, approve, detail } = await openApprovals();
  pairWrites(database);
  const asked = await Promise.all([run(ann.client), run(ben.client)]);
  const [ofAnn, ofBen] = asked.map(({ approval }) => approval!.id);
  expect((await detail(ofAnn!)).requester).toMatchObject({ userId: ann.id, name: "ann" });
  expect((await detail(ofBen!)).requester).toMatchObject({ userId: ben.id, name: "ben" });
  expect(await outcome(approve(ofBen!, ben.client))).toBe("OWN_REQUEST");
  expect(await approve(ofBen!, ann.client)).toMatchObject({ state: "APPROVED" });
});

test("an approval does not count after its user has changed the schedule", async () => {
  const { ann, ben, cleo, olga, approve } = await openApprovals({ approvals: 2 });
  const created = await ann.client.call("schedules.create", { body: nightly });
  const id = created.approvalId ?? "";
  await approve(id, ben.client);
  const params = { scheduleId: created.id };
  const body = { ...nightly, description: "each night", version: 1 };
  await ben.client.call("schedules.update", { params, body });
  expect(await approve(id, cleo.client)).toMatchObject({
    state: "AWAITING_APPROVAL",
    requirements: [{ approvedBy: ["cleo"] }],
  });
  expect(await approve(id, olga.client)).toMatchObject({ state: "APPROVED" });
});

test("a list says for each request whether the caller can decide about it", async () => {
  const { ann, ben, cleo, owner, ask, reject, addPolicy } = await openApprovals();
  const ended = await ask(ann.client);
  await reject(ended, ben.client);
  const ofAnn = await ask(ann.client);
  const ofBen = await ask(ben.client);
  const { approvalId } = await ben.client.call("schedules.create", { body: nightly });
  const decidable = async (by: Client) => {
    const listed = await by.call("approvals.list");
    return listed.filter(({ mayDecide }) => mayDecide).map(({ id }) => id);
  };
  expect(await decidable(ann.client)).toEqual([approvalId, ofBen]);
  expect(await decidable(ben.client)).toEqual([ofAnn]);
  expect(await decidable(await ann.key())).toEqual([]);
  expect(await decidable(owner)).toEqual([]);
  // The list changes with the policies.
  await addPolicy({ name: "named", order: 1, approvers: { users: ["cleo"] } });
  expect(await decidable(ann.client)).toEqual([]);
  expect(await decidable(cleo.client)).toEqual([approvalId, ofBen, ofAnn]);
});

const strangers: Record<string, (scene: Approvals) => Promise<Client>> = {
  "an operator's API key": ({ ben }) => ben.key(),
  "an API key without a user": async ({ as }) => as("owner"),
  "--db": async ({ asPrincipal }) => asPrincipal({ kind: "local", osUser: "root" }),
  "a user who was disabled": async ({ ben, change }) => {
    await change(ben.id, { status: "DISABLED" });
    return ben.client;
  },
  "a user who was demoted": async ({ ben, change }) => {
    await change(ben.id, { status: "ACTIVE", role: "viewer" });
    return ben.client;
  },
  "a user who was deleted": async ({ ben, owner }) => {
    await owner.call("users.delete", { params: { userId: ben.id } });
    return ben.client;
  },
};

describe("these credentials approve nothing", () => {
  test("API keys, --db, and users who were disabled, demoted or deleted", async () => {
    const scene = await openApprovals();
    const denied = { action: "approval.refused", result: "DENIED" };
    for (const [who, clientOf] of Object.entries(strangers)) {
      const id = await scene.ask();
      const by = await clientOf(scene);
      expect(await outcome(scene.approve(id, by)), who).toBe("NOT_AN_APPROVER");
      expect(await outcome(scene.reject(id, by)), who).toBe("NOT_AN_APPROVER");
      expect(await scene.detail(id)).toMatchObject({ state: "AWAITING_APPROVAL", decisions: [] });
      expect((await scene.trail(id)).slice(1)).toMatchObject(
        Array(2).fill({ ...denied, metadata: { code: "NOT_AN_APPROVER" } }),
      );
    }
    expect(await scene.commands()).toEqual([]);
  });

  test("a viewer is refused before the request is read", async () => {
    const { ask, approve, person } = await openApprovals();
    const vera = await person("vera", "viewer");
    expect(await outcome(approve(await ask(), vera.client))).toBe("FORBIDDEN");
  });

  test("a user whom the policy does not name", async () => {
    const { ask, approve, ben, cleo } = await openApprovals({ approvers: { users: ["cleo"] } });
    const id = await ask();
    expect(await outcome(approve(id, ben.client))).toBe("NOT_AN_APPROVER");
    expect(await approve(id, cleo.client)).toMatchObject({ state: "APPROVED" });
  });
});

test("callers without a user cannot ask", async () => {
  const scene = await openApprovals();
  for (const by of [scene.asPrincipal({ kind: "local", osUser: "root" }), scene.as("operator")]) {
    expect(await outcome(scene.run(by))).toBe("APPROVAL_REQUIRED");
    const body = { action: "purge", selector: "env=prod", confirmation: true };
    expect(await outcome(by.call("rollouts.create", { body }))).toBe("APPROVAL_REQUIRED");
  }
  expect(await scene.commands()).toEqual([]);
  expect(await scene.owner.call("rollouts.list")).toEqual([]);
});
