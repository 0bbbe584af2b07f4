// Which approval policy applies, and how policies change.

import { describe, expect, test, vi } from "vitest";
import { AppError } from "../../../src/domain/errors.ts";
import { refuseRows } from "../../helpers/stored.ts";
import { apply } from "../declarations/declaring.ts";
import { expectInvalid, expectRefused, outcome } from "../refusals.ts";
import { registering } from "../registering.ts";
import { openApprovals } from "./scene.ts";

type Scene = Awaited<ReturnType<typeof openApprovals>>;

const byOperators = { approvers: { role: "operator" } } as const;

test("the first policy that matches applies, and the policy test says why", async () => {
  const { addPolicy, owner, serviceId, ask, detail } = await openApprovals(null);
  await addPolicy({ name: "last", order: 9, ...byOperators });
  await addPolicy({ name: "elsewhere", order: 1, selector: "env=test", ...byOperators });
  await addPolicy({ name: "restarts", order: 2, action: "restart", ...byOperators });
  const production = { name: "production", order: 3, selector: "env=prod", approvals: 2 } as const;
  await addPolicy({ ...production, dangerLevel: null });
  const query = { serviceId, action: "purge" };
  expect(await owner.call("approval-policies.test", { query })).toMatchObject({
    policy: { name: "production" },
    policies: [
      { name: "elsewhere", counts: false, reason: expect.stringContaining("env=test") },
      { name: "restarts", counts: false, reason: "It is for the action restart." },
      { name: "production", counts: true, reason: null },
      { name: "last", counts: false, reason: null },
    ],
  });
  expect((await detail(await ask())).policies).toMatchObject([
    { policyName: "production", approvals: 2 },
  ]);
  expect(
    await owner.call("approval-policies.test", { query: { serviceId, action: "tidy" } }),
  ).toMatchObject({ policy: { name: "production" } });
});

test("without a matching policy, the policy test names none", async () => {
  const { owner, serviceId } = await openApprovals();
  const query = { serviceId, action: "tidy" };
  expect(await owner.call("approval-policies.test", { query })).toMatchObject({
    policy: null,
    policies: [{ counts: false, reason: expect.stringContaining("HIGH") }],
  });
});

describe("the policies at the time of the approval decide", () => {
  test("a policy that was weakened or deleted no longer blocks", async () => {
    const { addPolicy, ask, approve, owner, ben, detail, run, ann } = await openApprovals(null);
    const { id: policyId } = await addPolicy({ approvals: 2, approvers: { role: "owner" } });
    const [weakened, deleted] = [await ask(), await ask()];
    const params = { policyId };
    const body = { name: "dangerous", dangerLevel: "HIGH", ...byOperators, version: 1 } as const;
    await owner.call("approval-policies.update", { params, body });
    expect(await approve(weakened, ben.client)).toMatchObject({ state: "APPROVED" });
    await owner.call("approval-policies.delete", { params });
    expect(await run(ann.client)).toMatchObject({ approval: null });
    expect(await detail(deleted)).toMatchObject({ state: "AWAITING_APPROVAL", policies: [] });
    const own = ann.client.call("approvals.approve", {
      params: { approvalId: deleted },
      body: { digest: (await detail(deleted)).digest },
    });
    expect(await outcome(own)).toBe("OWN_REQUEST");
    expect(await approve(deleted, ben.client)).toMatchObject({ state: "APPROVED" });
  });

  test("a policy that was strengthened applies to open requests", async () => {
    const { addPolicy, ask, approve, ben, cleo, detail, owner, commands } =
      await openApprovals(null);
    const { id: policyId } = await addPolicy();
    const id = await ask();
    const body = { name: "dangerous", dangerLevel: "HIGH", ...byOperators } as const;
    await owner.call("approval-policies.update", {
      params: { policyId },
      body: { ...body, approvals: 2, version: 1 },
    });
    expect(await detail(id)).toMatchObject({ requirements: [{ approvals: 2 }] });
    expect(await approve(id, ben.client)).toMatchObject({ state: "AWAITING_APPROVAL" });
    expect(await commands()).toEqual([]);
    expect(await approve(id, cleo.client)).toMatchObject({ state: "APPROVED" });
  });

  test("a policy that applies first now applies to open requests", async () => {
    const { addPolicy, ask, approve, ben, olga, commands } = await openApprovals();
    const id = await ask();
    await addPolicy({ name: "owners first", order: 1, approvers: { role: "owner" } });
    expect(await outcome(approve(id, ben.client))).toBe("NOT_AN_APPROVER");
    expect(await commands()).toEqual([]);
    expect(await approve(id, olga.client)).toMatchObject({
      state: "APPROVED",
      requirements: [{ policyName: "owners first", approvedBy: ["olga"] }],
    });
  });
});

describe("lists show what policies demand after", () => {
  type Change = (scene: Scene) => Promise<unknown>;
  const settings = { operatorLabels: ["env"] };
  test.for<[what: string, change: Change]>([
    [
      "labels of a service have changed",
      ({ owner, serviceId }) =>
        owner.call("services.label", { params: { serviceId }, body: { labels: { env: "test" } } }),
    ],
    [
      "labels of an agent have changed",
      ({ owner, agent: { agentId } }) =>
        owner.call("agents.label", { params: { agentId }, body: { labels: { env: "test" } } }),
    ],
    [
      "an agent has registered with other labels",
      async (scene) => {
        const body = { replace: true, labels: { env: "test" } };
        const { token } = await scene.owner.call("registration-tokens.create", { body });
        await registering(scene).register(token);
      },
    ],
    [
      "agents can no longer report them",
      ({ owner }) => owner.call("settings.update", { body: settings }),
    ],
    [
      "agents can no longer report them, by an apply",
      ({ owner }) => apply(owner, [{ kind: "Settings", settings }]),
    ],
  ])("%s", async ([, change]) => {
    const scene = await openApprovals(null);
    const { addPolicy, ask, ben, olga } = scene;
    await addPolicy({ name: "production", order: 1, selector: "env=prod" });
    await addPolicy({ name: "others", approvers: { role: "owner" } });
    await ask();
    const shown = async ({ client }: typeof ben) => {
      const [listed] = await client.call("approvals.list");
      return [listed?.policies.map(({ policyName }) => policyName), listed?.mayDecide];
    };
    expect(await shown(ben)).toEqual([["production"], true]);
    await change(scene);
    expect(await shown(ben)).toEqual([["others"], false]);
    expect(await shown(olga)).toEqual([["others"], true]);
  });
});

const ownersFirst = { name: "owners first", order: 1, approvers: { role: "owner" } } as const;

test("a change succeeds, with a warning in the log, if the lists cannot show it yet", async () => {
  const scene = await openApprovals();
  const { addPolicy, ask, approve, ben } = scene;
  const id = await ask();
  const logged: unknown[] = [];
  scene.app.core.log.warn = (_, message) => void logged.push(message);
  const allow = await refuseRows(scene, "UPDATE ON approvals");
  expect(await addPolicy(ownersFirst)).toMatchObject({ name: "owners first", version: 1 });
  expect(logged).toEqual(["an open request could not be refreshed"]);
  await allow();
  expect(await outcome(approve(id, ben.client))).toBe("NOT_AN_APPROVER");
});

/** Calls `meanwhile` just before the second write from now. */
function beforeSecondWrite({ app }: Scene, meanwhile: () => Promise<unknown>): void {
  const { db } = app.core;
  const { write } = db;
  let writes = 0;
  db.write = async (work) => {
    writes++;
    if (writes === 2) await meanwhile();
    return write.call(db, work) as never;
  };
}

test("if one request cannot be refreshed, the others still are", async () => {
  const scene = await openApprovals();
  const { addPolicy, ask, owner } = scene;
  const ids = [await ask(), await ask()];
  beforeSecondWrite(scene, () => Promise.reject(new Error("on purpose")));
  await addPolicy(ownersFirst);
  const listed = await owner.call("approvals.list");
  const policyOf = (id: string) => listed.find((each) => each.id === id)?.policies[0]?.policyName;
  expect(ids.map(policyOf)).toEqual(["dangerous", "owners first"]);
});

test("a read that fails for one schedule is repeated for the next", async () => {
  const scene = await openApprovals();
  const { addPolicy, ann, owner } = scene;
  const chosen = { selector: "env=prod", action: "purge", confirmation: true };
  const target = { kind: "rollout" as const, ...chosen };
  for (const name of ["one", "two"]) {
    const body = { name, everySeconds: 600, target };
    await ann.client.call("schedules.create", { body });
  }
  vi.spyOn(scene.app.core.db, "bulkReader").mockImplementationOnce(() => {
    throw new Error("on purpose");
  });
  await addPolicy(ownersFirst);
  const listed = await owner.call("approvals.list");
  const names = listed.map(({ policies }) => policies[0]?.policyName);
  expect(names.toSorted()).toEqual(["dangerous", "owners first"]);
});

test("no other request is tried while the database cannot be written", async () => {
  const scene = await openApprovals();
  await scene.ask();
  await scene.ask();
  const logged: unknown[] = [];
  scene.app.core.log.warn = (_, message) => void logged.push(message);
  const cause = new Error("on purpose");
  beforeSecondWrite(scene, () =>
    Promise.reject(new AppError("UNAVAILABLE", "The change was not made.", { cause })),
  );
  await scene.addPolicy(ownersFirst);
  expect(logged).toEqual(["the requirements of open requests could not be refreshed"]);
  const listed = await scene.owner.call("approvals.list");
  const names = listed.map(({ policies }) => policies[0]?.policyName);
  expect(names).toEqual(["dangerous", "dangerous"]);
});

test("a request that ends during the refresh keeps what was demanded", async () => {
  const scene = await openApprovals();
  const { addPolicy, ask, ann, detail } = scene;
  const id = await ask();
  beforeSecondWrite(scene, () =>
    ann.client.call("approvals.withdraw", { params: { approvalId: id } }),
  );
  await addPolicy(ownersFirst);
  expect(await detail(id)).toMatchObject({
    state: "WITHDRAWN",
    requirements: [{ policyName: "dangerous" }],
  });
});

test("an older refresh does not store what a deleted policy demanded", async () => {
  const scene = await openApprovals();
  const { addPolicy, ask, owner } = scene;
  await ask();
  beforeSecondWrite(scene, async () => {
    const [policy] = await owner.call("approval-policies.list", { query: { q: "owners" } });
    await owner.call("approval-policies.delete", { params: { policyId: policy?.id ?? "" } });
  });
  await addPolicy(ownersFirst);
  const [listed] = await owner.call("approvals.list");
  expect(listed?.policies.map(({ policyName }) => policyName)).toEqual(["dangerous"]);
});

test("a change of policies is seen by commands of the same group of writes", async () => {
  const { addPolicy, run, ann } = await openApprovals(null);
  const [before, , after] = await Promise.all([run(ann.client), addPolicy(), run(ann.client)]);
  const seen = [before, after].map(({ approval }) => approval !== null);
  // The first command may also be written after the policy, even though it was checked earlier.
  expect(seen.at(-1)).toBe(true);
});

describe("owners write policies", () => {
  test("each change has a row in the trail, and an equal rule has none", async () => {
    const { owner, addPolicy, trail } = await openApprovals(null);
    const { id: policyId } = await addPolicy({ approvers: { users: ["ann", "BEN"] } });
    const params = { policyId };
    const rule = { name: "dangerous", dangerLevel: "HIGH", approvers: { users: ["ann", "ben"] } };
    const same = { ...rule, version: 1 } as never;
    expect(await owner.call("approval-policies.update", { params, body: same })).toMatchObject({
      ...{ version: 1, approvers: { users: ["ann", "ben"] } },
    });
    const body = { ...rule, action: "purge", version: 1 } as never;
    expect(await owner.call("approval-policies.update", { params, body })).toMatchObject({
      version: 2,
    });
    await expectRefused(
      owner.call("approval-policies.update", { params, body }),
      "VERSION_CONFLICT",
      { currentVersion: 2, version: 1 },
    );
    await owner.call("approval-policies.delete", { params });
    await expectRefused(
      owner.call("approval-policies.get", { params }),
      "APPROVAL_POLICY_NOT_FOUND",
    );
    expect(await trail(policyId)).toMatchObject([
      { action: "policy.created", metadata: { name: "dangerous", approvals: 1 } },
      {
        action: "policy.updated",
        metadata: { changes: { action: { from: null, to: "purge" } }, version: 2 },
      },
      { action: "policy.deleted" },
    ]);
  });

  test("a renamed user stays an approver, and a deleted one is left out", async () => {
    const { addPolicy, ask, approve, change, ben, cleo, owner } = await openApprovals(null);
    const { id: policyId } = await addPolicy({ approvers: { users: ["ben", "cleo"] } });
    await change(ben.id, { username: "benjamin" });
    await owner.call("users.delete", { params: { userId: cleo.id } });
    expect(await owner.call("approval-policies.get", { params: { policyId } })).toMatchObject({
      approvers: { users: ["benjamin"] },
    });
    expect(await approve(await ask(), ben.client)).toMatchObject({ state: "APPROVED" });
  });

  test("names are unique, and the named users must exist and be enough", async () => {
    const { addPolicy } = await openApprovals();
    await expectRefused(addPolicy(), "APPROVAL_POLICY_NAME_TAKEN");
    const named = (users: string[], approvals: 1 | 2 = 1) =>
      addPolicy({ name: "named", approvers: { users }, approvals });
    await expectInvalid(named(["ann", "nobody"]), "approvers.users.1");
    await expectInvalid(named(["ann"], 2), "approvers.users");
    await expectInvalid(named([]), "approvers.users");
    const message = expect.stringContaining("must begin with a letter or digit");
    const issues = [{ path: "approvers.users.0", message }];
    await expectRefused(named(["-ann"]), "VALIDATION_FAILED", { issues });
    await expectInvalid(addPolicy({ name: "bad", selector: "env in" }), "selector");
    await expectInvalid(addPolicy({ name: "bad", approvals: 3 as never }), "approvals");
    await expectInvalid(addPolicy({ name: "bad", expiresAfterSeconds: 5 }), "expiresAfterSeconds");
  });
});
