// What becomes of a call whose caller loses access while the call waits or computes.

import { expect } from "vitest";
import type { Client } from "../../../src/client/client.ts";
import { flushPresence } from "../../../src/core/presence/flush.ts";
import { beforeNextWrite } from "../../helpers/wrapped-writes.ts";
import { apply } from "../declarations/declaring.ts";
import { expectRefused } from "../refusals.ts";
import { collector, type Scene, test } from "../scene.ts";
import { addUser, deleteUser, signIn, updateUser, withCookie, withKey } from "./people.ts";

const target = { kind: "action", service: collector.code, action: "rotate" } as const;
const rollout = { action: "rotate", selector: "" };
const rule = { name: "nightly", cron: "0 3 * * *", target };

/** Creates an API key and a schedule. `endAccess` revokes and deletes the key a second later. */
async function withPager(scene: Scene, schedule: object = {}) {
  const owner = scene.as("owner");
  const body = { name: "pager", role: "owner" } as const;
  const { id: keyId, key } = await owner.call("api-keys.create", { body });
  const params = { keyId };
  const { id } = await owner.call("schedules.create", { body: { ...rule, ...schedule } });
  const pager = await withKey(scene, key);
  // Otherwise, choosing services would write the last calls.
  await flushPresence(scene.app.core);
  return {
    pager,
    id,
    async endAccess() {
      await owner.call("api-keys.revoke", { params });
      await owner.call("api-keys.delete", { params });
      scene.clock.advance(1000);
    },
    revoke: () => owner.call("api-keys.revoke", { params }),
    stored: async () => [await owner.call("schedules.list"), await owner.call("rollouts.list")],
  };
}

test.for<[what: string, change: (pager: Client, scheduleId: string) => Promise<unknown>]>([
  ["creates no rollout", (pager) => pager.call("rollouts.create", { body: rollout })],
  [
    "creates no schedule",
    (pager) => pager.call("schedules.create", { body: { ...rule, name: "second" } }),
  ],
  [
    "changes no schedule",
    (pager, scheduleId) => {
      const body = { ...rule, cron: "0 4 * * *", version: 1 };
      return pager.call("schedules.update", { params: { scheduleId }, body });
    },
  ],
  [
    "resumes no schedule",
    (pager, scheduleId) => pager.call("schedules.resume", { params: { scheduleId } }),
  ],
  ["applies no file", (pager) => apply(pager, [{ kind: "Schedule", ...rule, name: "second" }])],
])("a call %s", async ([_what, change], { scene }) => {
  const { pager, id, endAccess, stored } = await withPager(scene, { state: "PAUSED" });
  const before = await stored();
  beforeNextWrite(scene.database, endAccess);
  await expectRefused(change(pager, id), "UNAUTHORIZED");
  expect(await stored()).toEqual(before);
});

test.for(["endAccess", "revoke"] as const)(
  "a run fails before it creates its rollout (%s)",
  async (end, { scene }) => {
    const target = { kind: "rollout", ...rollout };
    const { pager, id, stored, ...ends } = await withPager(scene, { target });
    const [, before] = await stored();
    // The first write begins the run.
    beforeNextWrite(scene.database, async () => beforeNextWrite(scene.database, ends[end]));
    const run = await pager.call("schedules.run", { params: { scheduleId: id } });
    expect(run).toMatchObject({ state: "FAILED", errorCode: "FORBIDDEN" });
    expect((await stored())[1]).toEqual(before);
  },
);

test("a run creates its rollout although the session of its starter ends", async ({ scene }) => {
  await addUser(scene, "ann", "operator");
  const ann = await withCookie(scene, await signIn(scene, "ann"));
  const { id, stored } = await withPager(scene, { target: { kind: "rollout", ...rollout } });
  const signOut = async () => {
    await ann.call("auth.logout");
    scene.clock.advance(1000);
  };
  beforeNextWrite(scene.database, async () => beforeNextWrite(scene.database, signOut));
  const run = await ann.call("schedules.run", { params: { scheduleId: id } });
  expect(run).toMatchObject({ state: "RUNNING" });
  expect((await stored())[1]).toMatchObject([{ scheduleId: id }]);
});

test("a call with a key that was just deleted still acts for the key's user", async ({ scene }) => {
  const owner = scene.as("owner");
  const { id } = await addUser(scene, "ann", "operator");
  const body = { name: "pager", role: "operator", user: "ann" } as const;
  const { id: keyId, key } = await owner.call("api-keys.create", { body });
  const pager = await withKey(scene, key);
  beforeNextWrite(scene.database, async () => {
    await owner.call("api-keys.revoke", { params: { keyId } });
    await owner.call("api-keys.delete", { params: { keyId } });
  });
  const { owner: runsFor } = await pager.call("schedules.create", { body: rule });
  expect(runsFor).toEqual({ kind: "user", userId: id, name: "ann" });
});

test("a user who was just deleted saves no schedule that runs for nobody", async ({ scene }) => {
  const { id } = await addUser(scene, "ann", "operator");
  const ann = await withCookie(scene, await signIn(scene, "ann"));
  beforeNextWrite(scene.database, () => deleteUser(scene, id));
  await expectRefused(ann.call("schedules.create", { body: rule }), "UNAUTHORIZED");
});

test("a call that waits does not return what came after its user was disabled", async ({
  scene,
}) => {
  const params = { commandId: await scene.execute() };
  await scene.poll();
  const { id } = await addUser(scene, "ann");
  const ann = await withCookie(scene, await signIn(scene, "ann"));
  const { doorbell } = scene.app.core;
  const refused = expectRefused(
    ann.call("commands.output", { params, query: { wait: 60 } }),
    "UNAUTHORIZED",
  );
  await expect.poll(() => doorbell.countWaiting().readers).toBe(1);
  await updateUser(scene, id, { status: "DISABLED" });
  scene.clock.advance(1000);
  const body = { chunks: [{ offset: 0, stream: "stdout" as const, text: "late\n" }] };
  await scene.agent.client.call("agent.output", { params, body });
  await refused;
});
