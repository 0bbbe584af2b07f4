// What `rollouts retry` shows and refuses, and what it says when nothing has failed.

import { expect } from "vitest";
import { failing, test } from "../world.ts";

test("after a cancellation, `watch` and `retry` say how to run the rest, as a rollout with its own name", async ({
  world,
}) => {
  const operator = world.as("operator");
  const body = { action: "set-level", services: ["log-collector"], name: "nightly" };
  const { id } = await operator.call("rollouts.create", { body });
  await operator.call("rollouts.cancel", { params: { rolloutId: id } });
  const rest = `platformctl rollouts retry ${id} --rest`;
  const watched = await world.run("--server", ["rollouts", "watch", id]);
  expect(watched.stderr).toContain(`The action was not run on 1 service. To run it there: ${rest}`);
  const refused = await world.run("--server", ["rollouts", "retry", id, "--yes"]);
  expect(refused).toMatchObject(failing(5, "no service failed, but the action was not run on 1"));
  expect(refused.stderr).toContain(`run it there: ${rest}`);

  const retry = ["rollouts", "retry", id, "--rest"];
  const { status, stdout, stderr } = await world.run("--server", [...retry, "--dry-run"]);
  expect([status, stderr]).toEqual([0, "\nNothing was started.\n"]);
  expect(stdout).toContain("\nwave 1: 1 service\n  log-collector\n");
  const listed = () => world.as("viewer").call("rollouts.list", { query: {} });
  expect(await listed()).toHaveLength(1);
  expect(await world.run("--server", [...retry, "--yes"])).toMatchObject({ status: 0 });
  expect((await listed()).map(({ name }) => name)).toEqual(["nightly (retry)", "nightly"]);
});

test("a rollout in which nothing failed is not retried, and no secrets are asked for", async ({
  world,
}) => {
  const properties = { pin: { type: "string", writeOnly: true } };
  const actions = [{ name: "rotate", inputSchema: { type: "object", properties } }];
  const vault = { code: "vault", name: "Vault", version: "1", healthStatus: "UP", actions };
  await world.working.client.call("agent.report", { body: { services: [vault] } });
  world.app.core.rollouts.start();
  const words = ["rollouts", "start", "rotate", "--service", "vault", "--set", "pin=1234"];
  const ran = await world.run("--server", [...words, "--yes", "--wait", "-o", "name"]);
  expect(ran.status).toBe(0);
  const refused = await world.run("--server", ["rollouts", "retry", ran.stdout.trim(), "--yes"]);
  expect(refused).toMatchObject(failing(5, "No existing service of the rollout failed."));
});

test("`results` says which services were left out", async ({ world }) => {
  const body = { action: "set-level", selector: "" };
  const { id } = await world.as("operator").call("rollouts.create", { body });
  const { stderr } = await world.run("--server", ["rollouts", "results", id]);
  expect(stderr).toContain("1 left out: action not found. See which: platformctl rollouts get");
});
