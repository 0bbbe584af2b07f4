// Rollouts through the API: what they run, when they stop, and what operators can do.

import { describe, expect, test, vi } from "vitest";
import { advanceRollout, wakeRollouts } from "../../../src/core/rollouts/advance.ts";
import { AppError } from "../../../src/domain/errors.ts";
import { rolloutResultsBytes } from "../../../src/domain/limits.ts";
import type { OutputChunk } from "../../../src/domain/output/output.ts";
import { StorageFailure } from "../../../src/domain/storage/failures.ts";
import { openTestApp } from "../../helpers/app.ts";
import { perFile } from "../../helpers/lifetime.ts";
import { everyRow } from "../../helpers/stored.ts";
import { refuseWrites } from "../../helpers/wrapped-writes.ts";
import { logged } from "../audit/long-trail.ts";
import { expectInvalid, outcome } from "../refusals.ts";
import { type Detail, openFleet, type Request, restart } from "./fleet.ts";

test("a rollout runs its waves in turn, and at most `maxParallel` services at a time", async () => {
  const fleet = await openFleet(10);
  const id = await fleet.start({ waves: ["1", "50%"], maxParallel: 3, reason: "new certificates" });
  expect(await fleet.get(id)).toMatchObject({
    state: "RUNNING",
    wave: 1,
    waveCount: 3,
    total: 10,
    targets: { RUNNING: 1, WAITING: 9 },
    waves: [{ size: 1 }, { size: 4 }, { size: 5 }],
  });
  expect(await fleet.endOpen(id)).toMatchObject({ wave: 2, targets: { SUCCEEDED: 1, RUNNING: 3 } });
  expect(await fleet.endOpen(id)).toMatchObject({ wave: 2, targets: { SUCCEEDED: 4, RUNNING: 1 } });
  expect(await fleet.endOpen(id)).toMatchObject({ wave: 3, targets: { SUCCEEDED: 5, RUNNING: 3 } });
  await fleet.endOpen(id);
  expect(await fleet.endOpen(id)).toMatchObject({
    state: "SUCCEEDED",
    stateReason: null,
    completedAt: expect.any(String),
    targets: { SUCCEEDED: 10 },
  });
  const commands = await fleet.operator.call("commands.list", { query: { rolloutId: id } });
  expect(commands).toHaveLength(10);
  expect(new Set(commands.map(({ serviceCode }) => serviceCode)).size).toBe(10);
  expect(commands[0]).toMatchObject({
    source: { kind: "rollout", rolloutId: id },
    reason: "new certificates",
  });
});

test("canaries are the first wave, and the waves divide the other services", async () => {
  const fleet = await openFleet(6);
  for (const code of ["web-1", "web-3"]) {
    const services = [{ ...fleet.serviceOf(code), labels: { tier: "web", canary: "yes" } }];
    await fleet.agentOf(code).client.call("agent.report", { body: { services } as never });
  }
  const canary = "canary=yes";
  const sizesOf = ({ waves }: Pick<Detail, "waves">) => waves.map(({ size }) => size);
  const inWave = async (id: string, wave: number) => (await codesOf(fleet, id, { wave })).sort();
  const request = { action: "restart", selector: "tier=web", waves: ["1"] };
  const preview = (more: Partial<Request>) =>
    fleet.operator.call("rollouts.preview", { body: { ...request, ...more } });
  expect(await preview({ canary })).toMatchObject({ total: 6, canaries: 2 });
  await expectInvalid(preview({ canary: "canary=no" }), "canary");
  await expectInvalid(fleet.start({ canary: "canary=no" }), "canary");
  expect((await preview({ canary: "canary=no", selector: "a=b" })).total).toBe(0);

  const all = await fleet.start({ canary: "tier=web", waves: ["1"] });
  expect(sizesOf(await fleet.get(all))).toEqual([1, 5]);
  await fleet.act(all, "cancel", { commands: true });
  const id = await fleet.start({ canary, waves: ["50%"], maxFailures: "1" });
  expect(await fleet.get(id)).toMatchObject({ canary, waves: [{ size: 2 }, { size: 2 }, {}] });
  expect(await inWave(id, 1)).toEqual(["web-1", "web-3"]);

  await fleet.endOpen(id, ["web-1"]);
  const [other = ""] = await inWave(id, 2);
  expect(await fleet.endOpen(id, [other])).toMatchObject({ state: "FAILED" });
  const retry = (rest: boolean, rolloutId = id) =>
    fleet.operator.call("rollouts.retry", { params: { rolloutId }, body: { rest } });
  const again = await retry(true);
  expect([again.canary, sizesOf(again)]).toEqual([canary, [1, 2, 1]]);
  expect(await inWave(again.id, 1)).toEqual(["web-1"]);
  await fleet.advance(again.id);
  await fleet.endOpen(again.id);
  await fleet.endOpen(again.id, await inWave(again.id, 2));
  expect(await retry(false, again.id)).toMatchObject({ canary: null, total: 2 });

  await fleet.agentOf("web-1").client.call("agent.offline", { body: {} });
  await fleet.agentOf("web-3").client.call("agent.offline", { body: {} });
  await expect(preview({ canary })).rejects.toThrow(
    /canary: matches none of the 4 services of the rollout; web-[13] is left out: The agent/,
  );
});

describe("results", () => {
  test("show the result of each service, many on one page", async () => {
    const fleet = await openFleet(4);
    const id = await fleet.start({ waves: ["3"], maxFailures: "1", between: "pause" });
    const [one = "", two = "", three = ""] = await codesOf(fleet, id, { wave: 1 });
    await fleet.agentOf(one).client.call("agent.poll", { query: { wait: 0 } });
    fleet.clock.advance(1500);
    const print = async (code: string, chunks: OutputChunk[]) => {
      const { client } = fleet.agentOf(code);
      const { commands } = await client.call("agent.poll", { query: { wait: 0 } });
      const params = { commandId: commands[0]?.id ?? "" };
      await client.call("agent.output", { params, body: { chunks } });
    };
    await print(two, [
      { offset: 0, stream: "stdout", text: "copying\n50%" },
      { offset: 11, stream: "stderr", text: "disk full\n" },
    ]);
    await print(three, [{ offset: 0, stream: "stdout", text: "copied\n" }]);
    await fleet.endOpen(id, [two], (code) => ({ output: code === one ? { free: "9 %" } : null }));
    const results = (query = {}) =>
      fleet.as("viewer").page("rollouts.results", { params: { rolloutId: id }, query });
    const { data, pagination } = await results();
    expect(pagination).toEqual({ page: 1, pageSize: 20, total: 4 });
    const succeeded = { state: "SUCCEEDED", status: "SUCCEEDED", errorCode: null };
    expect(data).toMatchObject([
      {
        serviceCode: one,
        wave: 1,
        ...succeeded,
        durationMs: 1500,
        output: { free: "9 %" },
        lastLine: null,
      },
      {
        serviceCode: two,
        state: "FAILED",
        errorCode: "BROKEN",
        output: null,
        lastLine: "disk full",
      },
      { serviceCode: three, ...succeeded, durationMs: 0, output: null, lastLine: "copied" },
      { wave: 2, state: "WAITING", commandId: null, status: null, durationMs: null, output: null },
    ]);
    expect((await results({ state: "FAILED", wave: 1 })).data).toEqual([data[1]]);
    const unknown = fleet.operator.call("rollouts.results", { params: { rolloutId: "rol_none" } });
    expect(await outcome(unknown)).toBe("ROLLOUT_NOT_FOUND");
  });

  test("with long outputs, pages end early, and an export has them all", async () => {
    const fleet = await openFleet(4);
    const id = await fleet.start();
    const output = "x".repeat(rolloutResultsBytes * 0.4);
    await fleet.endOpen(id, [], () => ({ output }));
    const params = { rolloutId: id };
    const codes: string[] = [];
    const sizes: number[] = [];
    for (let before: string | undefined = ""; before !== undefined; ) {
      const query: { before?: string } = before ? { before } : {};
      const { data, pagination } = await fleet.operator.page("rollouts.results", { params, query });
      sizes.push(data.length);
      codes.push(...data.map((row) => row.serviceCode));
      before = pagination.next;
    }
    expect(sizes).toEqual([2, 2]);
    expect(codes).toEqual(await codesOf(fleet, id));
    const { chunks } = await fleet.operator.download("rollouts.export-results", { params });
    const csv = await new Response(ReadableStream.from(chunks)).text();
    expect(csv.match(/,x+,\r\n/g)).toHaveLength(4);
    // A single output is shown, however long it is.
    const query = { pageSize: 1, before: "1.0" };
    expect(await fleet.operator.call("rollouts.results", { params, query })).toHaveLength(1);
    const beyond = { before: "9999999999999999.0" };
    expect(await fleet.operator.call("rollouts.results", { params, query: beyond })).toEqual([]);
  });
});

async function codesOf(fleet: Awaited<ReturnType<typeof openFleet>>, id: string, query = {}) {
  return (await fleet.targets(id, query)).map(({ serviceCode }) => serviceCode);
}

test("the next process continues it, and runs no service twice", async () => {
  const fleet = await openFleet(3);
  const id = await fleet.start({ maxParallel: 2 });
  await fleet.pollAll();
  await fleet.app.close();
  fleet.clock.advance(1000);
  const next = openTestApp({ DATA_DIR: fleet.config.dataDir }, {}, fleet.clock);
  const wake = vi.spyOn(next.app.core.rollouts, "wake");
  await wakeRollouts(next.app.core);
  expect(wake.mock.calls).toEqual([[id]]);
  const commands = () => next.as("operator").call("commands.list", { query: { rolloutId: id } });
  while (await advanceRollout(next.app.core, id));
  const [first, second] = await commands();
  expect(await commands()).toEqual([first, second]);
  const agent = next.asPrincipal(fleet.agentOf(first!.serviceCode).principal);
  await agent.call("agent.result", { params: { commandId: first!.id }, body: { success: true } });
  while (await advanceRollout(next.app.core, id));
  const started = (await commands()).map(({ serviceCode }) => serviceCode);
  expect(started.toSorted()).toEqual(["web-0", "web-1", "web-2"]);
});

test("a crash leaves no command without the record that its service has it", async () => {
  const fleet = await openFleet(1);
  const body = { action: "restart", selector: "tier=web" };
  const { id } = await fleet.operator.call("rollouts.create", { body });
  const mend = refuseWrites(fleet.database, "UPDATE rollout_targets SET state = 'RUNNING'");
  await expect(advanceRollout(fleet.app.core, id)).rejects.toThrow("refused by the test");
  mend();
  expect(await fleet.operator.call("commands.list", { query: { rolloutId: id } })).toEqual([]);
  expect(await fleet.advance(id)).toMatchObject({ targets: { RUNNING: 1 } });
});

test("with more failures than tolerated, it stops, and retry runs the failed services alone", async () => {
  const fleet = await openFleet(9);
  const id = await fleet.start({ waves: ["3", "6"], maxFailures: "1" });
  await fleet.endOpen(id);
  const second = (await fleet.targets(id, { wave: 2 })).map(({ serviceCode }) => serviceCode);
  expect(second).toHaveLength(3);
  const failing = second.slice(0, 2);
  expect(await fleet.endOpen(id, failing)).toMatchObject({
    state: "FAILED",
    stateReason: "TOO_MANY_FAILURES",
    targets: { SUCCEEDED: 4, FAILED: 2, NOT_RUN: 3, WAITING: 0 },
  });
  expect(await fleet.targets(id, { state: "FAILED" })).toMatchObject(
    failing.map((code) => ({ errorCode: "BROKEN", errorMessage: `${code} is broken` })),
  );
  const params = { rolloutId: id };
  const preview = await fleet.operator.call("rollouts.preview-retry", {
    params,
    body: { rest: true },
  });
  expect(preview).toMatchObject({ total: 5, maxFailures: 1, requiresConfirmation: false });
  expect(await fleet.operator.call("rollouts.list")).toHaveLength(1);
  const retried = await fleet.operator.call("rollouts.retry", { params, body: {} });
  expect(retried).toMatchObject({ retryOf: id, total: 2, action: "restart", maxFailures: 1 });
  const codes = (await fleet.targets(retried.id)).map(({ serviceCode }) => serviceCode);
  expect(codes.sort()).toEqual(failing.sort());
  const all = await fleet.operator.call("rollouts.retry", {
    params,
    body: { rest: true, seed: preview.seed },
  });
  expect(all.total).toBe(5);
  expect((await fleet.targets(all.id)).map(({ serviceCode }) => serviceCode)).toEqual(
    preview.waves.flatMap(({ services }) => services.map(({ serviceCode }) => serviceCode)),
  );
  await fleet.advance(all.id);
  await fleet.endOpen(all.id);
  await fleet.endOpen(all.id);
  expect(await fleet.endOpen(all.id)).toMatchObject({ state: "SUCCEEDED" });
  expect(
    await outcome(
      fleet.operator.call("rollouts.retry", { params: { rolloutId: all.id }, body: {} }),
    ),
  ).toBe("ROLLOUT_HAS_NO_TARGETS");
});

test("a retry leaves out services that were deleted", async () => {
  const fleet = await openFleet(3);
  const id = await fleet.start({ maxFailures: "3" });
  await fleet.endOpen(id, ["web-0", "web-1"]);
  const remove = async (code: string) => {
    await fleet.agentOf(code).client.call("agent.offline", { body: {} });
    fleet.clock.advance(3600_000);
    const [service] = await fleet.operator.call("services.list", { query: { q: code } });
    const params = { serviceId: service?.id ?? "" };
    await fleet.operator.call("services.delete", { params });
  };
  const retry = () =>
    fleet.operator.call("rollouts.retry", { params: { rolloutId: id }, body: {} });
  await remove("web-0");
  await fleet.agentOf("web-1").client.call("agent.heartbeat", { body: {} });
  const retried = await retry();
  expect(await fleet.targets(retried.id)).toMatchObject([{ serviceCode: "web-1" }]);
  await fleet.advance(retried.id);
  await fleet.endOpen(retried.id);
  await remove("web-1");
  expect(await outcome(retry())).toBe("ROLLOUT_HAS_NO_TARGETS");
});

test("commands that run when it stops continue, and are recorded", async () => {
  const fleet = await openFleet(4);
  const id = await fleet.start({ maxParallel: 4 });
  const [first, ...others] = await fleet.targets(id);
  const { client } = fleet.agentOf(first?.serviceCode ?? "");
  await client.call("agent.poll", { query: {} });
  const failed = { params: { commandId: first?.commandId ?? "" }, body: { success: false } };
  await client.call("agent.result", failed);
  expect(await fleet.advance(id)).toMatchObject({ state: "FAILED", targets: { RUNNING: 3 } });
  expect(await fleet.endOpen(id)).toMatchObject({
    state: "FAILED",
    targets: { SUCCEEDED: 3, FAILED: 1 },
  });
  expect(others).toHaveLength(3);
});

test("it can be paused, resumed and cancelled, in the states that allow it", async () => {
  const fleet = await openFleet(6);
  const id = await fleet.start({ maxParallel: 2 });
  expect(await fleet.act(id, "pause")).toMatchObject({ state: "PAUSED", stateReason: "OPERATOR" });
  expect(await outcome(fleet.act(id, "pause"))).toBe("ROLLOUT_WRONG_STATE");
  expect(await fleet.endOpen(id)).toMatchObject({
    state: "PAUSED",
    targets: { SUCCEEDED: 2, WAITING: 4 },
  });
  await fleet.act(id, "resume");
  expect(await fleet.advance(id)).toMatchObject({ state: "RUNNING", targets: { RUNNING: 2 } });
  expect(await outcome(fleet.act(id, "resume"))).toBe("ROLLOUT_WRONG_STATE");
  expect(await fleet.act(id, "cancel", { commands: true })).toMatchObject({ state: "CANCELLED" });
  expect(await fleet.advance(id)).toMatchObject({
    state: "CANCELLED",
    targets: { SUCCEEDED: 2, FAILED: 2, NOT_RUN: 2, RUNNING: 0 },
  });
  expect(await fleet.targets(id, { state: "FAILED" })).toMatchObject([
    { errorCode: "COMMAND_CANCELLED" },
    { errorCode: "COMMAND_CANCELLED" },
  ]);
  expect(await outcome(fleet.act(id, "cancel"))).toBe("ROLLOUT_WRONG_STATE");
  const events = await fleet.as("viewer").call("audit-events.list", { query: { targetId: id } });
  expect(events.map(({ action }) => action)).toEqual([
    "rollout.cancelled",
    "rollout.resumed",
    "rollout.paused",
    "rollout.created",
  ]);
});

test("between two waves, it pauses or waits", async () => {
  const fleet = await openFleet(4);
  const id = await fleet.start({ waves: ["2"], between: "pause" });
  expect(await fleet.endOpen(id)).toMatchObject({
    state: "PAUSED",
    stateReason: "WAVE_ENDED",
    wave: 2,
  });
  await fleet.act(id, "resume");
  await fleet.advance(id);
  expect(await fleet.endOpen(id)).toMatchObject({ state: "SUCCEEDED" });
  const seen = await fleet.start({ waves: ["2"], between: "pause" });
  await fleet.act(seen, "pause");
  expect(await fleet.endOpen(seen)).toMatchObject({ state: "PAUSED", stateReason: "OPERATOR" });
  await fleet.act(seen, "resume");
  expect(await fleet.advance(seen)).toMatchObject({ state: "RUNNING", wave: 2 });
  const other = await fleet.start({ waves: ["2"], between: 60 });
  const waiting = await fleet.endOpen(other);
  expect(waiting).toMatchObject({ state: "RUNNING", wave: 1, between: 60 });
  expect(Date.parse(waiting.nextWaveAt ?? "") - fleet.clock.now()).toBe(60_000);
  fleet.clock.advance(59_000);
  expect(await fleet.advance(other)).toMatchObject({ wave: 1 });
  fleet.clock.advance(1000);
  await fleet.reportAll();
  expect(await fleet.advance(other)).toMatchObject({ wave: 2, targets: { RUNNING: 2 } });
});

test("with a health gate, a service must report that it is healthy after its command", async () => {
  const fleet = await openFleet(2);
  const id = await fleet.start({
    healthGate: true,
    healthTimeoutSeconds: 60,
    maxParallel: 1,
    maxFailures: "1",
  });
  fleet.clock.advance(1);
  expect(await fleet.endOpen(id)).toMatchObject({
    targets: { CHECKING: 1, RUNNING: 0, WAITING: 1 },
  });
  await fleet.reportAll("DOWN");
  expect(await fleet.advance(id)).toMatchObject({ targets: { CHECKING: 1 } });
  fleet.clock.advance(10);
  await fleet.reportAll();
  expect(await fleet.advance(id)).toMatchObject({ targets: { SUCCEEDED: 1, RUNNING: 1 } });
  fleet.clock.advance(10);
  await fleet.reportAll("DOWN");
  await fleet.endOpen(id);
  fleet.clock.advance(60_000);
  expect(await fleet.advance(id)).toMatchObject({
    state: "SUCCEEDED",
    targets: { SUCCEEDED: 1, FAILED: 1 },
  });
  expect(await fleet.targets(id, { state: "FAILED" })).toMatchObject([
    {
      errorCode: "SERVICE_NOT_HEALTHY",
      errorMessage: "The command succeeded, but the service is UNHEALTHY.",
    },
  ]);
});

test("a heartbeat between two reports can say that a service is healthy after its command", async () => {
  const fleet = await openFleet(1);
  await fleet.reportAll("DOWN");
  const id = await fleet.start({ healthGate: true });
  fleet.clock.advance(10);
  expect(await fleet.endOpen(id)).toMatchObject({ targets: { CHECKING: 1 } });
  fleet.clock.advance(10);
  const health = [{ serviceCode: "web-0", healthStatus: "UP" }];
  await fleet.agentOf("web-0").client.call("agent.heartbeat", { body: { health } });
  expect(await fleet.advance(id)).toMatchObject({ state: "SUCCEEDED" });
});

describe("services whose agent is offline", () => {
  test("fail on request", async () => {
    const fleet = await openFleet(2);
    await fleet.agentOf("web-0").client.call("agent.offline", { body: {} });
    const id = await fleet.start({ offline: "fail", maxFailures: "1" });
    const expected = { state: "SUCCEEDED", total: 2, targets: { FAILED: 1 } };
    expect(await fleet.endOpen(id)).toMatchObject(expected);
  });

  test("wait for it", async () => {
    const fleet = await openFleet(2);
    await fleet.agentOf("web-0").client.call("agent.offline", { body: {} });
    const id = await fleet.start({ offline: "wait" });
    expect(await fleet.get(id)).toMatchObject({ total: 2, targets: { RUNNING: 2 } });
    expect(await fleet.endOpen(id)).toMatchObject({ state: "SUCCEEDED" });
  });

  test.each([
    ["0", { state: "FAILED", stateReason: "TOO_MANY_NOT_RUN" }],
    ["1", { state: "SUCCEEDED", stateReason: null }],
  ])("are skipped in their turn, of which %s may fail", async (maxFailures, state) => {
    const fleet = await openFleet(2);
    const id = await fleet.start({ maxParallel: 1, maxFailures });
    const [waiting] = await fleet.targets(id, { state: "WAITING" });
    const code = waiting?.serviceCode ?? "";
    await fleet.agentOf(code).client.call("agent.offline", { body: {} });
    const ended = await fleet.endOpen(id);
    expect(ended).toMatchObject({ ...state, targets: { SUCCEEDED: 1, NOT_RUN: 1 } });
    expect(await fleet.targets(id, { state: "NOT_RUN" })).toMatchObject([
      { errorCode: "AGENT_OFFLINE" },
    ]);
  });
});

test("a preview shows the same order as the rollout, and who is left out, and writes nothing", async () => {
  const schema = { type: "object", required: ["level"], properties: { level: { type: "string" } } };
  const fleet = await openFleet(6, [{ ...restart, inputSchema: schema }]);
  await fleet.registerAgent("other", [{ code: "plain", name: "Plain", version: "1" }]);
  await fleet.agentOf("web-5").client.call("agent.offline", { body: {} });
  const body = {
    action: "restart",
    selector: "",
    payload: { level: "debug" },
    payloadByService: { "web-4": { level: 4 } },
    waves: ["1"],
    maxFailures: "50%",
  };
  const preview = await fleet.operator.call("rollouts.preview", { body });
  expect(preview).toMatchObject({ total: 4, maxFailures: 2, requiresConfirmation: false });
  expect(preview.leftOut).toMatchObject(
    expect.arrayContaining([
      expect.objectContaining({ serviceCode: "plain", code: "ACTION_NOT_FOUND" }),
      expect.objectContaining({ serviceCode: "web-4", code: "PAYLOAD_INVALID" }),
      expect.objectContaining({ serviceCode: "web-5", code: "AGENT_OFFLINE" }),
    ]),
  );
  expect(await fleet.operator.call("rollouts.list", { query: {} })).toEqual([]);
  const { seed } = preview;
  const { id } = await fleet.operator.call("rollouts.create", { body: { ...body, seed } });
  const { leftOut } = await fleet.get(id);
  expect(leftOut).toMatchObject({ total: 3, services: preview.leftOut });
  expect(leftOut?.reasons).toHaveLength(3);
  const [listed] = await fleet.operator.call("rollouts.list", { query: {} });
  expect(listed?.leftOut).toEqual({ total: 3, reasons: leftOut?.reasons });
  const order = (await fleet.targets(id)).map(({ serviceCode }) => serviceCode);
  expect(order).toEqual(
    preview.waves.flatMap(({ services }) => services.map(({ serviceCode }) => serviceCode)),
  );
});

test("if no chosen service declares the action, a similar one is named", async () => {
  const hidden = { name: "restore", hidden: true };
  const fleet = await openFleet(2, [restart, hidden]);
  await fleet.registerAgent("other", [{ code: "plain", name: "Plain", version: "1" }]);
  const reasonsOf = async (action: string, more: Partial<Request> = {}) => {
    const body = { action, selector: "", ...more };
    const { leftOut } = await fleet.operator.call("rollouts.preview", { body });
    return [...new Set(leftOut.map(({ message }) => message))];
  };
  const none = (action: string) => `The service declares no action ${action}.`;
  expect(await reasonsOf("restrat")).toEqual([`${none("restrat")} Did you mean restart?`]);
  expect(await reasonsOf("restore-all")).toEqual([none("restore-all")]);
  expect(await reasonsOf("restrat", { services: ["plain"] })).toEqual([none("restrat")]);
  expect(await reasonsOf("restart")).toEqual([none("restart")]);
  await expect(fleet.start({ action: "restrat" })).rejects.toThrow("Did you mean restart?");
});

test("secrets are never shown, reach the agent, and are deleted at the end", async () => {
  const schema = { type: "object", properties: { password: { type: "string", writeOnly: true } } };
  const fleet = await openFleet(2, [{ ...restart, inputSchema: schema }]);
  const payload = { password: "hunter2", at: 1 };
  const body = { action: "restart", selector: "", payload };
  expect(await fleet.operator.call("rollouts.preview", { body })).toMatchObject({
    payload: { password: "[REDACTED]", at: 1 },
  });
  const id = await fleet.start({ payload, maxParallel: 1 });
  expect(await fleet.get(id)).toMatchObject({
    payload: { password: "[REDACTED]", at: 1 },
    withheld: ["/password"],
  });
  const [target] = await fleet.targets(id, { state: "RUNNING" });
  const { client } = fleet.agentOf(target?.serviceCode ?? "");
  const polled = await client.call("agent.poll", { query: {} });
  expect(polled.commands[0]?.payload).toEqual({ password: "hunter2", at: 1 });
  await fleet.endOpen(id, [target?.serviceCode ?? ""]);
  expect(JSON.stringify(await everyRow(fleet))).not.toContain("hunter2");
  const params = { rolloutId: id };
  expect(await outcome(fleet.operator.call("rollouts.retry", { params, body: {} }))).toBe(
    "PAYLOAD_NEEDS_SECRETS",
  );
  const again = { params, body: { secrets: { "/password": "again" } } };
  expect(await fleet.operator.call("rollouts.retry", again)).toMatchObject({ total: 1 });
});

test("a deadline ends it", async () => {
  const fleet = await openFleet(2);
  const id = await fleet.start({ deadlineSeconds: 30, maxParallel: 1 });
  fleet.clock.advance(30_000);
  expect(await fleet.advance(id)).toMatchObject({
    state: "FAILED",
    stateReason: "DEADLINE",
    targets: { RUNNING: 1, NOT_RUN: 1 },
  });
});

const small = perFile(() => openFleet(1));

test.each([
  [{ action: "restart" }, "VALIDATION_FAILED"],
  [{ action: "restart", selector: "a:b" }, "VALIDATION_FAILED"],
  [{ action: "restart", selector: "", waves: ["x"] }, "VALIDATION_FAILED"],
  [{ action: "restart", selector: "", maxFailures: "-1" }, "VALIDATION_FAILED"],
  [{ action: "restart", services: ["web-0", "nobody"] }, "SERVICE_NOT_FOUND"],
  [{ action: "restart", agents: ["nobody"] }, "AGENT_NOT_FOUND"],
  [{ action: "explode", selector: "" }, "ROLLOUT_HAS_NO_TARGETS"],
  [{ action: "restart", selector: "tier=db" }, "ROLLOUT_HAS_NO_TARGETS"],
])("%j is refused: %s", async (body, code) => {
  const creating = small().operator.call("rollouts.create", { body });
  expect(await outcome(creating)).toBe(code);
});

test("an action that requires confirmation is confirmed once for all services", async () => {
  const fleet = await openFleet(2, [{ ...restart, dangerLevel: "HIGH" }]);
  await fleet.registerAgent("calm", [{ ...fleet.serviceOf("calm"), actions: [restart] }]);
  const body = { action: "restart", selector: "" };
  const preview = async (services: string[]) => {
    const { dangerLevel, requiresConfirmation } = await fleet.operator.call("rollouts.preview", {
      body: { action: "restart", services },
    });
    return [dangerLevel, requiresConfirmation];
  };
  expect(await preview(["calm", "web-0"])).toEqual(["HIGH", true]);
  expect(await preview(["calm"])).toEqual(["LOW", false]);
  expect(await preview([])).toEqual([null, false]);
  expect(await outcome(fleet.operator.call("rollouts.create", { body }))).toBe(
    "CONFIRMATION_REQUIRED",
  );
  const confirmed = { ...body, confirmation: true };
  expect(await fleet.operator.call("rollouts.create", { body: confirmed })).toMatchObject({
    total: 3,
  });
});

test("a service that was deleted or has changed fails in its turn", async () => {
  const fleet = await openFleet(2);
  const id = await fleet.start({ maxParallel: 1, maxFailures: "2" });
  const [waiting] = await fleet.targets(id, { state: "WAITING" });
  const code = waiting?.serviceCode ?? "";
  const body = { services: [{ ...fleet.serviceOf(code), actions: [] }] };
  await fleet.agentOf(code).client.call("agent.report", { body: body as never });
  await fleet.endOpen(id);
  expect(await fleet.targets(id, { state: "FAILED" })).toMatchObject([
    { serviceCode: code, errorCode: "ACTION_NOT_FOUND", endedAt: expect.any(String) },
  ]);
});

test("while the storage refuses writes, its failure is logged once for all rollouts", async () => {
  const fleet = await openFleet(1);
  for (let n = 0; n < 2; n++) await fleet.start();
  const [warnings, errors] = [logged(fleet, "warn"), logged(fleet, "error")];
  const cause = new StorageFailure("write", "READ_ONLY");
  const refused = new AppError("UNAVAILABLE", "The storage refuses writes.", { cause });
  const batch = vi.spyOn(fleet.database, "batch").mockRejectedValue(refused);
  const { core } = fleet.app;
  for (let second = 0; second < 3; second++) {
    core.rollouts.start();
    await wakeRollouts(core);
    await core.rollouts.stop();
  }
  batch.mockRestore();
  expect(warnings).toEqual([]);
  expect(errors).toMatchObject([{ fields: { reason: "READ_ONLY" } }]);
});
