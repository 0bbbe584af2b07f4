// How a request for approval of an action is decided, is withdrawn, or expires.

import { describe, expect, test } from "vitest";
import { expireApprovals } from "../../../src/core/approval-decisions/ending.ts";
import { onBothEngines } from "../../helpers/both-engines.ts";
import { everyRow } from "../../helpers/stored.ts";
import { openApprovals, purge, storage, tidy } from "../approvals/scene.ts";
import { outcome } from "../refusals.ts";

const hourMs = 3_600_000;

/** Returns the code of the error, or `ok`. */
async function resultOf(call: Promise<object>): Promise<string> {
  const result = await outcome(call);
  return typeof result === "string" ? result : "ok";
}

test("without policies nothing needs approval, and other actions run at once", async () => {
  const { run, ann, addPolicy } = await openApprovals(null);
  expect(await run(ann.client)).toMatchObject({ command: { status: "PENDING" }, approval: null });
  await addPolicy();
  expect(await run(ann.client, {}, "tidy")).toMatchObject({ command: { action: "tidy" } });
  expect(await run(ann.client)).toMatchObject({ command: null, approval: { kind: "action" } });
});

test("an approved action runs as its requester, with both names in the trail", async () => {
  const { ask, approve, ann, ben, commands, detail, trail, agent } = await openApprovals();
  const id = await ask(ann.client, { payload: { days: 3 }, reason: "the disk is full" });
  expect(await commands()).toEqual([]);
  expect(await detail(id)).toMatchObject({
    state: "AWAITING_APPROVAL",
    title: "purge on storage",
    requester: { kind: "user", userId: ann.id, name: "ann" },
    reason: "the disk is full",
    content: {
      service: { code: "storage" },
      agent: { code: "edge-1" },
      action: { name: "purge", dangerLevel: "HIGH" },
      payload: { days: 3 },
    },
    requirements: [{ policyName: "dangerous", approvals: 1, approvedBy: [] }],
  });
  const approved = await approve(id, ben.client, "go ahead");
  const [command] = await commands();
  expect(approved).toMatchObject({
    state: "APPROVED",
    commandId: command?.id,
    endedAt: expect.any(String),
    decisions: [{ username: "ben", decision: "APPROVE", comment: "go ahead" }],
  });
  expect(command).toMatchObject({
    action: "purge",
    reason: "the disk is full",
    source: { kind: "operator", userId: ann.id, name: "ann" },
  });
  const polled = await agent.client.call("agent.poll", { query: { wait: 0 } });
  expect(polled.commands).toMatchObject([{ id: command?.id, payload: { days: 3 } }]);
  expect(await trail(id)).toMatchObject([
    { action: "approval.requested", actorName: "ann", message: "the disk is full" },
    {
      action: "approval.approved",
      actorName: "ben",
      message: "go ahead",
      metadata: { requestedBy: "ann", commandId: command?.id, policies: ["dangerous"] },
    },
  ]);
  expect(await trail(command?.id ?? "")).toMatchObject([
    { action: "command.created", actorName: "ann", metadata: { approvalId: id } },
    { action: "command.dispatched" },
  ]);
});

test("requests and decisions have the users' current display names", async () => {
  const { ask, approve, ann, ben, change, detail, owner, run } = await openApprovals();
  const requesters = async () =>
    (await owner.call("approvals.list")).map(({ requester }) => requester.displayName);
  await change(ann.id, { displayName: "Ann" });
  await change(ben.id, { displayName: "Ben Bitdiddle" });
  const { approval } = await run(ann.client);
  expect(approval?.requester).toMatchObject({ name: "ann", displayName: "Ann" });
  const id = await ask(await ann.key());
  expect((await detail(id)).requester).toMatchObject({ userId: ann.id, displayName: "Ann" });
  // A request that was made with a user's API key counts as that user's request.
  const by = (requesterId: string) => owner.call("approvals.list", { query: { requesterId } });
  expect(
    [await by(ann.id), await by("ann"), await by(ben.id)].map((found) => found.length),
  ).toEqual([2, 2, 0]);
  await change(ann.id, { displayName: "Ann Oldcastle" });
  expect(await requesters()).toEqual(["Ann Oldcastle", "Ann Oldcastle"]);
  expect((await approve(id, ben.client)).decisions).toMatchObject([
    { username: "ben", displayName: "Ben Bitdiddle" },
  ]);
  for (const userId of [ann.id, ben.id]) await owner.call("users.delete", { params: { userId } });
  expect(await requesters()).toEqual([null, null]);
  expect((await detail(id)).decisions).toMatchObject([{ username: "ben", displayName: null }]);
});

test("a rejected request ends with the reason, and nothing runs", async () => {
  const { ask, reject, approve, ben, cleo, commands, trail } = await openApprovals();
  const id = await ask();
  expect(await reject(id, ben.client, "not on a Friday")).toMatchObject({
    state: "REJECTED",
    stateReason: "not on a Friday",
    mayDecide: false,
  });
  expect(await outcome(approve(id, cleo.client))).toBe("APPROVAL_WRONG_STATE");
  expect(await commands()).toEqual([]);
  expect((await trail(id)).at(-1)).toMatchObject({
    action: "approval.rejected",
    actorName: "ben",
    metadata: { requestedBy: "ann" },
  });
});

test("a decision stores no password that its text contains", async () => {
  const scene = await openApprovals({ approvals: 2 });
  const text = "https://olga:s3cret-in-a-url@storage does not answer";
  const id = await scene.ask();
  await scene.approve(id, scene.ben.client, text);
  await scene.reject(id, scene.cleo.client, text);
  expect(JSON.stringify(await everyRow(scene))).not.toContain("s3cret");
});

test("the requester and owners can withdraw a request, and others cannot", async () => {
  const { ask, ann, ben, olga, detail } = await openApprovals();
  const withdraw = (approvalId: string, { client }: typeof ann) =>
    client.call("approvals.withdraw", { params: { approvalId } });
  const first = await ask();
  expect(await outcome(withdraw(first, ben))).toBe("FORBIDDEN");
  expect(await withdraw(first, ann)).toMatchObject({ state: "WITHDRAWN" });
  expect(await outcome(withdraw(first, ann))).toBe("APPROVAL_WRONG_STATE");
  const second = await ask(await ann.key());
  expect(await withdraw(second, olga)).toMatchObject({ state: "WITHDRAWN" });
  expect((await detail(second)).requester).toMatchObject({ kind: "apiKey", userId: ann.id });
});

describe("two approvals", () => {
  test("must come from two users", async () => {
    const { ask, approve, ben, cleo, commands } = await openApprovals({ approvals: 2 });
    const id = await ask();
    const once = { state: "AWAITING_APPROVAL", requirements: [{ approvedBy: ["ben"] }] };
    expect(await approve(id, ben.client)).toMatchObject(once);
    expect(await approve(id, ben.elsewhere)).toMatchObject(once);
    expect(await commands()).toEqual([]);
    expect(await approve(id, cleo.client)).toMatchObject({ state: "APPROVED" });
    expect(await commands()).toHaveLength(1);
  });

  test("do not count from a user who was disabled or demoted meanwhile", async () => {
    const { ask, approve, change, ben, cleo, olga } = await openApprovals({ approvals: 2 });
    for (const body of [{ status: "DISABLED" }, { role: "viewer" }]) {
      await change(ben.id, { status: "ACTIVE", role: "operator" });
      const id = await ask();
      await approve(id, ben.client);
      await change(ben.id, body);
      expect(await approve(id, cleo.client)).toMatchObject({
        state: "AWAITING_APPROVAL",
        requirements: [{ approvedBy: ["cleo"] }],
      });
      expect(await approve(id, olga.client)).toMatchObject({ state: "APPROVED" });
    }
  });

  onBothEngines(() => {
    test("at the same time make one command", async () => {
      const { ask, approve, ben, cleo, olga, commands } = await openApprovals({ approvals: 2 });
      const id = await ask();
      const all = await Promise.all(
        [ben, cleo, olga].map(({ client }) => resultOf(approve(id, client))),
      );
      expect(all.toSorted()).toEqual(["APPROVAL_WRONG_STATE", "ok", "ok"]);
      expect(await commands()).toHaveLength(1);
    });
  });
});

onBothEngines(() => {
  test("an approval and a withdrawal at the same time have one outcome", async () => {
    const { ask, approve, ann, ben, commands, detail } = await openApprovals();
    for (let round = 0; round < 2; round++) {
      const before = (await commands()).length;
      const approvalId = await ask();
      const withdrawn = () => ann.client.call("approvals.withdraw", { params: { approvalId } });
      const both = [() => resultOf(approve(approvalId, ben.client)), () => resultOf(withdrawn())];
      if (round % 2 === 1) both.reverse();
      const outcomes = await Promise.all(both.map((act) => act()));
      expect(outcomes.toSorted()).toEqual(["APPROVAL_WRONG_STATE", "ok"]);
      const { state } = await detail(approvalId);
      const made = (await commands()).length - before;
      expect([state, made]).toEqual(state === "APPROVED" ? ["APPROVED", 1] : ["WITHDRAWN", 0]);
    }
  });
});

describe("expiry", () => {
  test("an expired request cannot be approved, whether or not the job has run", async () => {
    const scene = await openApprovals({ expiresAfterSeconds: 3600 });
    for (const isSwept of [false, true]) {
      await scene.agent.client.call("agent.heartbeat", { body: {} });
      const id = await scene.ask();
      scene.clock.advance(hourMs);
      if (isSwept) expect(await expireApprovals(scene.app.core)).toBe(1);
      expect(await outcome(scene.approve(id, scene.ben.client))).toBe("APPROVAL_WRONG_STATE");
      expect(await scene.detail(id)).toMatchObject({ state: "EXPIRED", decisions: [] });
      expect(await expireApprovals(scene.app.core)).toBe(0);
      expect(await scene.commands()).toEqual([]);
      expect((await scene.trail(id)).map(({ action }) => action)).toEqual([
        "approval.requested",
        "approval.expired",
      ]);
    }
  });

  test("a request can be approved shortly before it expires", async () => {
    const { ask, approve, agent, ben, clock } = await openApprovals({ expiresAfterSeconds: 3600 });
    const id = await ask();
    clock.advance(hourMs - 10_000);
    await agent.client.call("agent.heartbeat", { body: {} });
    expect(await approve(id, ben.client)).toMatchObject({ state: "APPROVED" });
  });
});

describe("the requester must still be allowed to run it", () => {
  test("a user who was disabled or demoted, and an API key that was revoked", async () => {
    const { ask, approve, change, ann, ben, commands, owner, trail } = await openApprovals();
    const byKey = await ask(await ann.key());
    const [key] = await owner.call("api-keys.list", { query: { userId: ann.id } });
    await owner.call("api-keys.revoke", { params: { keyId: key!.id } });
    expect(await approve(byKey, ben.client)).toMatchObject({ state: "FAILED" });
    for (const body of [{ status: "DISABLED" }, { role: "viewer" }]) {
      await change(ann.id, { status: "ACTIVE", role: "operator" });
      const id = await ask(ann.client);
      await change(ann.id, body);
      expect(await approve(id, ben.client)).toMatchObject({ state: "FAILED" });
      const failed = { action: "approval.failed", result: "FAILURE" };
      expect((await trail(id)).at(-1)).toMatchObject(failed);
    }
    expect(await commands()).toEqual([]);
  });
});

test("while the agent is offline, nothing is recorded, and the request can be approved later", async () => {
  const { ask, approve, ben, clock, agent, detail } = await openApprovals();
  const id = await ask();
  clock.advance(hourMs);
  expect(await outcome(approve(id, ben.client))).toBe("AGENT_OFFLINE");
  expect(await detail(id)).toMatchObject({ state: "AWAITING_APPROVAL", decisions: [] });
  await agent.client.call("agent.heartbeat", { body: {} });
  expect(await approve(id, ben.client)).toMatchObject({ state: "APPROVED" });
});

test("secrets are never shown, reach the agent, and are deleted with the request", async () => {
  const scene = await openApprovals();
  const { ask, approve, reject, ben, agent, detail } = scene;
  const secret = "correct horse battery";
  const id = await ask(undefined, { payload: { password: secret } });
  expect(await detail(id)).toMatchObject({
    content: { payload: { password: "[REDACTED]" } },
    withheld: ["/password"],
  });
  await approve(id, ben.client);
  const polled = await agent.client.call("agent.poll", { query: { wait: 0 } });
  expect(polled.commands).toMatchObject([{ payload: { password: secret } }]);
  const commandId = polled.commands[0]!.id;
  await agent.client.call("agent.result", { params: { commandId }, body: { success: true } });
  await reject(await ask(undefined, { payload: { password: secret } }), ben.client);
  expect(JSON.stringify(await everyRow(scene))).not.toContain(secret);
});

describe("break-glass", () => {
  const breakGlass = "production is down";

  test("runs at once, and is shown, audited and logged", async () => {
    const { run, olga, owner, trail, app } = await openApprovals();
    const logged: unknown[] = [];
    app.core.log.warn = (facts: unknown) => void logged.push(facts);
    const { command, approval } = await run(olga.client, { breakGlass });
    expect(approval).toBeNull();
    const { approvals } = await owner.call("overview.get");
    expect(approvals).toMatchObject({
      pending: 0,
      bypassed: 1,
      bypasses: [{ title: "purge on storage", by: "olga", why: breakGlass }],
    });
    const { approvalId } = approvals.bypasses[0]!;
    expect(await trail(approvalId)).toMatchObject([
      {
        action: "approval.bypassed",
        actorName: "olga",
        message: breakGlass,
        metadata: { policies: ["dangerous"], commandId: command?.id, title: "purge on storage" },
      },
    ]);
    expect(logged).toMatchObject([{ by: "olga", why: breakGlass, policies: ["dangerous"] }]);
  });

  test("stores and logs no password that its reason contains", async () => {
    const scene = await openApprovals();
    const logged: unknown[] = [];
    scene.app.core.log.warn = (facts: unknown) => void logged.push(facts);
    const reason = "https://olga:s3cret-in-a-url@storage does not answer";
    await scene.run(scene.olga.client, { breakGlass: reason });
    expect(logged).toMatchObject([{ why: expect.stringContaining("does not answer") }]);
    expect(JSON.stringify([logged, await everyRow(scene)])).not.toContain("s3cret");
  });

  test("is for owners, and needs a reason", async () => {
    const { run, ann, olga, owner, commands } = await openApprovals();
    expect(await outcome(run(ann.client, { breakGlass }))).toBe("FORBIDDEN");
    expect(await outcome(run(await ann.key(), { breakGlass }))).toBe("FORBIDDEN");
    expect(await outcome(run(olga.client, { breakGlass: "  " }))).toBe("VALIDATION_FAILED");
    expect(await commands()).toEqual([]);
    const query = { action: "approval.refused" };
    expect(await owner.call("audit-events.list", { query })).toMatchObject([
      { result: "DENIED", message: breakGlass },
      { result: "DENIED", message: breakGlass },
    ]);
  });

  test("works with --db, and leaves the overview after a week", async () => {
    const { run, asPrincipal, owner, clock } = await openApprovals();
    await run(asPrincipal({ kind: "local", osUser: "root" }), { breakGlass });
    expect((await owner.call("overview.get")).approvals).toMatchObject({ bypassed: 1 });
    clock.advance(7 * 24 * hourMs + 1000);
    expect((await owner.call("overview.get")).approvals).toEqual({
      ...{ pending: 0, bypassed: 0, bypasses: [] },
    });
  });

  test("bypasses nothing if no policy applies", async () => {
    const { run, olga, owner } = await openApprovals();
    await run(olga.client, { breakGlass }, "tidy");
    expect((await owner.call("overview.get")).approvals.bypassed).toBe(0);
  });
});

test("a reader who waits gets the request when it has ended", async () => {
  const { ask, approve, ann, ben } = await openApprovals();
  const approvalId = await ask();
  const query = { wait: 30 };
  const waiting = ann.client.call("approvals.get", { params: { approvalId }, query });
  await approve(approvalId, ben.client);
  expect(await waiting).toMatchObject({ state: "APPROVED" });
});

test("the same request id asks once", async () => {
  const { ann, serviceId, owner } = await openApprovals();
  const call = () =>
    ann.client.call(
      "actions.execute",
      { params: { serviceId, actionName: "purge" }, body: { confirmation: true } },
      { idempotencyKey: "night-1" } as never,
    );
  const [first, second] = [await call(), await call()];
  expect(first.approval?.id).toBe(second.approval?.id);
  expect(await owner.call("approvals.list")).toHaveLength(1);
});

test("an action that has changed since the request does not run when it is approved", async () => {
  const actions = {
    "the danger level": [{ ...purge, dangerLevel: "MEDIUM" }, tidy],
    "the schema": [{ ...purge, inputSchema: { properties: { days: {} } } }, tidy],
    "the time limit": [{ ...purge, timeoutSeconds: 5 }, tidy],
    "the description": [{ ...purge, description: "Deletes everything" }, tidy],
    "the action is gone": [tidy],
  };
  const { ask, approve, ben, report, commands, trail } = await openApprovals();
  for (const [what, declared] of Object.entries(actions)) {
    await report([storage]);
    const id = await ask();
    await report([{ ...storage, actions: declared }]);
    expect(await approve(id, ben.client), what).toMatchObject({ state: "OUTDATED", decisions: [] });
    expect(await commands()).toEqual([]);
    const outdated = { action: "approval.outdated", actorName: "ben" };
    expect((await trail(id)).at(-1)).toMatchObject(outdated);
  }
});

test("what does not matter to the approver may change before the approval", async () => {
  const { ask, approve, ben, report } = await openApprovals();
  const id = await ask();
  await report([{ ...storage, version: "2", actions: [tidy, { ...purge, category: "danger" }] }]);
  expect(await approve(id, ben.client)).toMatchObject({ state: "APPROVED" });
});

test("a service that belongs to another agent, or was deleted, is not touched", async () => {
  const scene = await openApprovals();
  const { ask, approve, ben, owner, registerAgent, serviceId } = scene;
  const moved = await ask();
  const other = await registerAgent("edge-2", []);
  const body = { agentId: other.agentId };
  await owner.call("services.move", { params: { serviceId }, body });
  expect(await approve(moved, ben.client)).toMatchObject({
    state: "OUTDATED",
    stateReason: "The service storage belongs to the agent edge-2 now.",
  });
  await scene.report([storage], other);
  const gone = await ask(undefined, {});
  await scene.elsewhere(`DELETE FROM services WHERE id = '${serviceId}'`);
  expect(await approve(gone, ben.client)).toMatchObject({ state: "OUTDATED" });
  expect(await scene.commands()).toEqual([]);
});

test("a request whose stored content was changed does not run", async () => {
  const { ask, approve, ben, elsewhere, commands } = await openApprovals();
  const id = await ask(undefined, { payload: { days: 3 } });
  await elsewhere(
    `UPDATE approvals SET content = replace(content, '"days":3', '"days":9') WHERE id = '${id}'`,
  );
  expect(await approve(id, ben.client)).toMatchObject({ state: "OUTDATED" });
  expect(await commands()).toEqual([]);
});
