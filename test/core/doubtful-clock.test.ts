// A wall clock that was set forward may be wrong: what it would delete for good is kept for a day.

import { expect, test } from "vitest";
import { sweep } from "../../src/core/maintenance.ts";
import { openScene } from "./scene.ts";

const day = 24 * 60 * 60 * 1000;

test("the audit trail is not pruned for a day after a jump; then it is", async () => {
  const scene = await openScene();
  const { core } = scene.app;
  scene.clock.jump(100 * day);
  core.statusClock.watch();
  expect((await sweep(core)).auditEventsPruned).toBe(0);
  scene.clock.advance(day - 2000);
  core.statusClock.watch();
  expect((await sweep(core)).auditEventsPruned).toBe(0);
  scene.clock.advance(4000);
  expect((await sweep(core)).auditEventsPruned).toBeGreaterThan(0);
});

test("invitations are not written down as EXPIRED by a clock that is put right", async () => {
  const scene = await openScene();
  const operator = scene.as("operator");
  const { id: tokenId } = await operator.call("registration-tokens.create", { body: {} });
  scene.clock.jump(100 * day);
  expect((await sweep(scene.app.core)).registrationTokensExpired).toBe(0);
  scene.clock.jump(-100 * day);
  const { status } = await operator.call("registration-tokens.get", { params: { tokenId } });
  expect(status).toBe("ACTIVE");
});
