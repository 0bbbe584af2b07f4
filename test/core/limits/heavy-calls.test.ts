import { expect, test } from "vitest";
import { presentCaller } from "../../../src/core/caller.ts";
import { HeavyCalls } from "../../../src/core/limits/heavy-calls.ts";
import { LimitWatch } from "../../../src/core/limits/limit-watch.ts";
import type { Principal } from "../../../src/domain/access/principals.ts";
import { maxHeavyCallsWaiting } from "../../../src/domain/limits.ts";
import { silentLog } from "../../../src/lib/log.ts";
import { leavingCaller } from "../leaving-caller.ts";
import { expectRefused } from "../refusals.ts";

const ann: Principal = {
  ...{ kind: "apiKey", keyId: "key_1", name: "a", role: "viewer" },
  ...{ userId: null, makerId: null },
};
const ben: Principal = {
  kind: "user",
  userId: "usr_1",
  username: "b",
  role: "owner",
  sessionId: "",
};

function open() {
  const limits = new LimitWatch(
    () => silentLog,
    () => 0,
  );
  const calls = new HeavyCalls(limits);
  const running: string[] = [];
  const enter = async (name: string, principal = ann, caller = presentCaller) => {
    const leave = await calls.enter(principal, caller);
    running.push(name);
    return leave;
  };
  return { limits, running, enter };
}

test("a credential's calls run one after the other, beside those of others", async () => {
  const { enter, running } = open();
  const leave = await enter("first");
  const second = enter("second");
  const third = enter("third");
  await enter("ben's", ben);
  expect(running).toEqual(["first", "ben's"]);
  leave();
  (await second)();
  expect(running).toEqual(["first", "ben's", "second"]);
  (await third)();
  // All calls of the credential have left, so the next one runs at once.
  await enter("later");
  expect(running.at(-1)).toBe("later");
});

test("few calls wait, and a caller who leaves gives up the place", async () => {
  const { enter, running, limits } = open();
  const leave = await enter("first");
  const { caller, leave: hangUp, listens } = leavingCaller();
  const leaving = enter("leaving", ann, caller);
  const waiting = Array.from({ length: maxHeavyCallsWaiting - 1 }, (_, n) => enter(`${n}`));
  await expectRefused(enter("too many"), "RATE_LIMITED");
  expect(limits.counts().heavyCalls).toBe(1);
  hangUp();
  await expectRefused(leaving, "UNAVAILABLE");
  expect(listens()).toBe(false);
  waiting.push(enter("last"));
  leave();
  for (const each of waiting) (await each)();
  expect(running).toEqual(["first", ...waiting.slice(1).map((_, n) => `${n}`), "last"]);
});

test("a caller that has left already does not wait", async () => {
  const { enter } = open();
  await enter("first");
  const { caller, leave } = leavingCaller();
  leave();
  await expectRefused(enter("gone", ann, caller), "UNAVAILABLE");
});
