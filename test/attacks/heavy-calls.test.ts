// Attacks the calls whose work grows with their input and with the fleet. Counts what they read
// instead of measuring time.

import { expect, test } from "vitest";
import { apply, requestOf } from "../core/declarations/declaring.ts";
import { interceptReads } from "../core/intercepted-reads.ts";
import { leavingCaller } from "../core/leaving-caller.ts";
import { openTestApp, type TestApp, testCall } from "../helpers/app.ts";
import { size } from "../helpers/size.ts";
import { changedTx, wrapWrites } from "../helpers/wrapped-writes.ts";

const agents = size(2, 25);
const servicesOfEach = size(30, 200);
const few = 10;
/** Together with `few`, at most 1000, because a user may not have more open requests. */
const many = size(40, 990);

/** A policy applies to every service, and no two services have the same labels. */
async function openFleet() {
  const app = openTestApp();
  const actions = [{ name: "restart", dangerLevel: "HIGH" }];
  for (let a = 0; a < agents; a++) {
    const services = Array.from({ length: servicesOfEach }, (_, n) => {
      const labels = { env: "prod", number: `${n}` };
      return { code: `s-${a}-${n}`, name: "s", version: "1", labels, actions };
    });
    await app.registerAgent(`agent-${a}`, services);
  }
  const owner = app.as("owner");
  const policy = { name: "production", selector: "env=prod", approvers: { role: "operator" } };
  await owner.call("approval-policies.create", { body: policy as never });
  const user = { username: "ann", password: "correct horse battery", role: "operator" } as const;
  const { id: userId } = await owner.call("users.create", { body: user });
  const principal = {
    kind: "user",
    userId,
    username: "ann",
    role: "operator",
    sessionId: "",
  } as const;
  return { app, principal, ann: app.asPrincipal(principal) };
}

const wholeFleet = () => ({ selector: "" });
const differentSelectors = (n: number) => ({ selector: `!label-${n}` });

function schedules(count: number, choice: (n: number) => object) {
  return Array.from({ length: count }, (_, n) => {
    const target = { kind: "rollout", action: "restart", confirmation: true, ...choice(n) };
    return { kind: "Schedule", name: `schedule-${n}`, cron: "0 3 * * *", timezone: "UTC", target };
  });
}

/** Counts the rows that are read outside of transactions, and the statements. */
function countReads(app: TestApp) {
  const counted = { rows: 0, statements: 0, onRead: (): void => undefined };
  const note = (rows: number) => {
    counted.rows += rows;
    counted.statements++;
    counted.onRead();
  };
  interceptReads(app, ({ all, get }) => ({
    async all<Row>(...given: Parameters<typeof all>) {
      const rows = await all<Row>(...given);
      note(rows.length);
      return rows;
    },
    async get<Row>(...given: Parameters<typeof get>) {
      const row = await get<Row>(...given);
      note(1);
      return row;
    },
  }));
  return counted;
}

const preview = { ...testCall, route: "declarations.preview" } as const;

test("a preview of many rollouts with different selectors reads the fleet once", async () => {
  const { app, principal } = await openFleet();
  const counted = countReads(app);
  const rowsFor = async (count: number) => {
    const before = counted.rows;
    const body = requestOf(schedules(count, differentSelectors));
    const { status } = await app.app.dispatch({ ...preview, principal, body });
    expect(status).toBe(200);
    return counted.rows - before;
  };
  // The first preview also reads data that is then cached.
  await rowsFor(1);
  // Up to 20 documents have warnings. For these, the fleet is read once for each different selector.
  const warned = await rowsFor(20);
  expect((await rowsFor(many)) - warned).toBeLessThan(5 * many);
});

test("abandoned previews end, and one credential can have only a few", async () => {
  const { app, principal } = await openFleet();
  const counted = countReads(app);
  const body = requestOf(schedules(many, differentSelectors));
  const before = counted.statements;
  const whole = await app.app.dispatch({ ...preview, principal, body });
  expect(whole.status).toBe(200);
  const ofOne = counted.statements - before;

  const callers = Array.from({ length: 20 }, leavingCaller);
  const begin = counted.statements;
  counted.onRead = () => {
    // The callers leave in the middle of the first preview.
    if (counted.statements - begin === Math.round(ofOne / 2))
      for (const { leave } of callers) leave();
  };
  const answers = await Promise.all(
    callers.map(({ caller }) => app.app.dispatch({ ...preview, principal, body, caller })),
  );
  const statuses = Object.groupBy(answers, ({ status }) => status);
  expect({ refused: statuses[429]?.length, ended: statuses[503]?.length }).toEqual({
    refused: 11,
    ended: 9,
  });
  expect(counted.statements - begin).toBeLessThan(ofOne);
  expect((await app.app.dispatch({ ...preview, principal, body })).status).toBe(200);
});

test("other writes wait for few statements of a large apply", async () => {
  const { app, ann } = await openFleet();
  const { db } = app.app.core;
  let reads = 0;
  wrapWrites(db, (tx) =>
    changedTx(tx, {
      get: (...statement) => {
        reads++;
        return tx.get(...statement);
      },
      all: (...statement) => {
        reads++;
        return tx.all(...statement);
      },
    }),
  );
  const readsFor = async (count: number, set: string) => {
    reads = 0;
    const documents = schedules(count, wholeFleet).map((each) => {
      return { ...each, name: `${set} ${each.name}` };
    });
    const { changes } = await apply(ann, documents, { set });
    expect(changes.every(({ awaitingApproval }) => awaitingApproval)).toBe(true);
    return reads;
  };
  const forFew = await readsFor(few, "few");
  expect(await readsFor(many, "many")).toBe(forFew);
});
