// Users who may ask for approval cannot guess the secrets in other requests.

import { expect, test } from "vitest";
import { openApprovals, storage } from "./scene.ts";

const payload = { pin: "4711", password: "hunter2" };

test("equal requests have different digests, each of which is the request's own", async () => {
  const { ask, ann, ben, cleo, detail, approve } = await openApprovals();
  const first = await ask(ann.client, { payload });
  const guess = await ask(ben.client, { payload });
  const digests = [(await detail(first)).digest, (await detail(guess)).digest];
  expect(new Set(digests).size).toBe(2);
  const params = { approvalId: first };
  const body = { digest: digests[1]! };
  const swapped = cleo.client.call("approvals.approve", { params, body });
  await expect(swapped).rejects.toMatchObject({ code: "APPROVAL_DIGEST_MISMATCH" });
  expect(await approve(first, cleo.client)).toMatchObject({ state: "APPROVED" });
});

test("an approved schedule needs approval again if its secret is written out, even the same", async () => {
  const { ann, ben, approve } = await openApprovals();
  const target = { kind: "action", service: storage.code, action: "purge", confirmation: true };
  const rule = { name: "nightly", cron: "0 3 * * *", target: { ...target, payload } } as const;
  const { id } = await ann.client.call("schedules.create", { body: rule as never });
  const params = { scheduleId: id };
  const get = () => ann.client.call("schedules.get", { params });
  await approve((await get()).approvalId!, ben.client);
  expect(await get()).toMatchObject({ approvalState: null });
  const update = async (body: object) =>
    ben.client.call("schedules.update", { params, body: body as never });
  await update({ ...(await get()), description: "at night" });
  expect(await get()).toMatchObject({ approvalState: null, version: 2 });
  await update({ ...rule, version: 2 });
  expect(await get()).toMatchObject({ approvalState: "AWAITING_APPROVAL", version: 3 });
});
