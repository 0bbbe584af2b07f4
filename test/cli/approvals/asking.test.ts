// What commands print and return if approval is needed, and how two users decide.

import { test as base, expect } from "vitest";
import { until } from "../../helpers/process/process.ts";
import { type Home, openHome, signIn } from "../access/signed-in.ts";
import { failing, openWorld, type World } from "../world.ts";
import { approve, ask, guard, type Person, person } from "./people.ts";

interface Place {
  world: World;
  ann: Person;
  ben: Person;
  /** Each function runs a command as a user who is signed in. */
  asAnn: Home["run"];
  asBen: Home["run"];
}

/** Opens a world in which every HIGH action needs the approval of an operator. */
async function openPlace(): Promise<Place> {
  const world = await openWorld();
  await guard(world);
  const [ann, ben] = [await person(world, "ann"), await person(world, "ben")];
  const homes = { ann: openHome(), ben: openHome() };
  for (const [username, home] of Object.entries(homes)) await signIn(home, world.url, username);
  return { world, ann, ben, asAnn: homes.ann.run, asBen: homes.ben.run };
}

const test = base.extend("place", () => openPlace());

const rotate = ["actions", "run", "log-collector", "rotate-log", "--set", "lines=3", "--yes"];
const start = ["rollouts", "start", "rotate-log", "--service", "log-collector", "--yes"];

/** Waits until there is a request for approval, and returns its id. */
async function openRequest({ world }: Place): Promise<string> {
  const query = { state: "AWAITING_APPROVAL" as const };
  const found = await until("a request is made", async () => {
    return (await world.as("viewer").page("approvals.list", { query })).data[0];
  });
  return found.id;
}

async function digestOf({ asAnn }: Place, id: string): Promise<string> {
  return JSON.parse((await asAnn(["approvals", "get", id, "-o", "json"])).stdout).digest;
}

async function approveAsBen(place: Place, id: string): Promise<void> {
  const words = ["approvals", "approve", id, "--yes", "--digest", await digestOf(place, id)];
  expect(await place.asBen(words)).toMatchObject({ status: 0 });
}

test("an action that needs approval is not run, and exits with 8, unless an owner breaks the glass", async ({
  place,
}) => {
  const { asAnn, world } = place;
  const ran = await asAnn(rotate);
  expect(ran.status).toBe(8);
  expect(ran.stdout).toMatch(/^state +AWAITING_APPROVAL$/m);
  expect(ran.stdout).toMatch(/^title +rotate-log on log-collector$/m);
  const id = await openRequest(place);
  expect(ran.stderr).toContain("Nothing runs before somebody else approves it (careful).");
  expect(ran.stderr).toContain(`platformctl approvals wait ${id}`);
  const waited = await asAnn(["approvals", "wait", id, "--timeout", "0s"]);
  expect([waited.status, waited.stderr]).toEqual([
    8,
    expect.stringContaining("It is still waiting for approval."),
  ]);
  const asJson = await asAnn([...rotate, "-o", "json"]);
  expect(JSON.parse(asJson.stdout)).toMatchObject({ state: "AWAITING_APPROVAL" });
  const output = await asAnn([...rotate, "-o", "output"]);
  expect(output).toMatchObject(failing(8, "wait for it: platformctl approvals wait apr_"));
  expect(await asAnn(rotate.slice(0, -1))).toMatchObject(
    failing(5, "Ask for approval of rotate-log (HIGH) on log-collector of edge-1? Add --yes"),
  );
  const nobody = await world.run("--db", [...rotate, "-o", "json"]);
  expect(nobody).toMatchObject(failing(8, '"code":"APPROVAL_REQUIRED"'));
  expect(await world.executions()).toEqual([]);

  const words = [...rotate, "--break-glass", "the disk is full"];
  expect(await asAnn(words)).toMatchObject(failing(4, "Only an owner"));
  const unsure = await world.run(
    "--db",
    words.filter((word) => word !== "--yes"),
  );
  expect(unsure).toMatchObject(failing(5, " without the approval that "));
  expect(await world.run("--db", words)).toMatchObject({ status: 0 });
  const query = { action: "approval.bypassed" };
  expect(await world.as("owner").call("audit-events.list", { query })).toHaveLength(1);
});

test("--wait waits for the result, or exits with 8 if the request is rejected", async ({
  place,
}) => {
  const { asAnn, asBen, world } = place;
  const refused = asAnn([...rotate, "--wait"]);
  const first = await openRequest(place);
  const reject = ["approvals", "reject", first, "--reason", "not now"];
  expect(await asBen(reject)).toMatchObject({ status: 0 });
  const rejected = await refused;
  expect(rejected.status).toBe(8);
  expect(rejected.stderr).toContain("REJECTED by ben: not now. Nothing was run.\n");
  expect(await world.executions()).toEqual([]);

  // The clock of this computer is ahead by more than requests wait.
  const io = { now: () => Date.now() + 10 * 86_400_000 };
  const waiting = asAnn([...rotate, "--wait"], { io });
  const id = await openRequest(place);
  await approveAsBen(place, id);
  const ran = await waiting;
  expect(ran.status).toBe(0);
  expect(ran.stderr).toContain(`rotate-log on log-collector is waiting for approval: ${id}\n`);
  expect(ran.stdout).toMatch(/^status +SUCCEEDED$/m);
  expect(ran.stdout).toMatch(/^by +ann$/m);
});

test("the same request id finds the request, and later its command", async ({ place }) => {
  const words = [...rotate, "--request-id", "nightly", "-o", "name"];
  const first = await place.asAnn(words);
  expect(first.stdout).toMatch(/^apr_\w{26}\n$/);
  expect((await place.asAnn(words)).stdout).toBe(first.stdout);
  const others = ["actions", "run", "log-collector", "rotate-log", "--set", "lines=4", "--yes"];
  const reused = await place.asAnn([...others, "--request-id", "nightly"]);
  expect(reused).toMatchObject(failing(5, "with other values"));
  await approveAsBen(place, await openRequest(place));
  const again = await place.asAnn(words);
  expect(again).toMatchObject({ status: 0, stdout: expect.stringMatching(/^cmd_/) });
  expect(await place.world.executions()).toHaveLength(1);
});

test.for([
  ["--set", "lines=3"],
  ["--payload", '{"lines":3}'],
])(
  "the same request id finds a request that was rejected, and says so: %s",
  async (given, { place }) => {
    const words = ["actions", "run", "log-collector", "rotate-log", ...given, "--yes"];
    const repeatable = [...words, "--request-id", "nightly"];
    await place.asAnn(repeatable);
    await place.asBen(["approvals", "reject", await openRequest(place), "--reason", "not now"]);
    const again = await place.asAnn(repeatable);
    expect(again).toMatchObject({ status: 8, stdout: expect.stringMatching(/^state +REJECTED$/m) });
    expect(again.stderr).toContain("REJECTED by ben: not now. Nothing was run.\n");
    expect(again.stderr).not.toContain("before somebody else approves it");
  },
);

test("the same request id and --payload find the command of a request that was approved", async ({
  place,
}) => {
  const words = ["actions", "run", "log-collector", "rotate-log", "--payload", '{"lines":3}'];
  const repeatable = [...words, "--yes", "--request-id", "nightly"];
  await place.asAnn([...repeatable, "--detach"]);
  await approveAsBen(place, await openRequest(place));
  const again = await place.asAnn([...repeatable, "-o", "name"]);
  expect(again).toMatchObject({ status: 0, stdout: expect.stringMatching(/^cmd_/) });
  const detached = await place.asAnn([...repeatable, "--detach"]);
  expect(detached).toMatchObject({ status: 0, stdout: expect.stringMatching(/^by +ann$/m) });
  const asJson = await place.asAnn([...repeatable, "--detach", "-o", "json"]);
  expect(JSON.parse(asJson.stdout)).toMatchObject({ status: "SUCCEEDED", payload: { lines: 3 } });
});

test("a repeated `rollouts start` or `retry` says that the rollout was not approved", async ({
  place,
}) => {
  const reject = async () =>
    place.asBen(["approvals", "reject", await openRequest(place), "--reason", "no"]);
  const first = [...start, "--request-id", "first"];
  const rolloutId = (await place.asAnn([...first, "-o", "name"])).stdout.trim();
  await reject();
  const retry = ["rollouts", "retry", rolloutId, "--rest", "--yes", "--request-id", "again"];
  expect((await place.asAnn(retry)).stderr).toContain("before somebody else approves it");
  await reject();
  for (const words of [first, retry]) {
    const again = await place.asAnn(words);
    expect(again.stdout).toMatch(/^why +not approved$/m);
    expect(again.status).toBe(8);
    expect(again.stderr).toContain("It was not approved. To see why: ");
    expect(again.stderr).not.toContain("before somebody else approves it");
  }
});

test("nobody approves their own request, or one that they have not read, and one approval may not be enough", async ({
  place,
}) => {
  const { id } = await ask(place.ann);
  const digest = await digestOf(place, id);
  const approve = (...more: string[]) => ["approvals", "approve", id, "--yes", ...more];
  const given = ["--digest", digest];
  expect(await place.asAnn(approve(...given))).toMatchObject(failing(4, "asked for this yourself"));
  const atTerminal = { io: { interactive: true } };
  const unasked = await place.asAnn(["approvals", "approve", id], atTerminal);
  expect(unasked).toMatchObject(failing(4, "you cannot decide on this request"));
  expect(await place.asBen(approve())).toMatchObject(failing(2, "give --digest with --yes"));
  const unread = ["approvals", "approve", id];
  expect(await place.asBen(unread)).toMatchObject(failing(2, "give --yes and --digest"));
  const other = await place.asBen([...approve("--digest", "another"), "-o", "json"]);
  expect(other.status).toBe(5);
  expect(JSON.parse(other.stderr).error.code).toBe("APPROVAL_DIGEST_MISMATCH");
  const local = await place.world.run("--db", [...approve(...given), "-o", "json"]);
  expect(local).toMatchObject(failing(4, '"code":"NOT_AN_APPROVER"'));
  const silent = ["approvals", "reject", id];
  expect(await place.asBen(silent)).toMatchObject(failing(2, "give --reason"));

  await guard(place.world, { name: "twice", order: 1, approvals: 2, action: "rotate-log" });
  const { id: next } = await ask(place.ann);
  const words = ["approvals", "approve", next, "--yes", "--digest", await digestOf(place, next)];
  const approved = await place.asBen([...words, "--comment", "go ahead"]);
  expect(approved.status).toBe(0);
  expect(approved.stderr).toBe("\nYour approval is recorded. It needs more approvals.\n");
  const { stdout } = await place.asAnn(["approvals", "get", next]);
  expect(stdout).toContain("\napprovals\n  twice: 1 of 2 (any operator): ben\n");
});

test("a rollout waits for approval, with its services shown, and --wait continues after it", async ({
  place,
}) => {
  const preview = await place.asAnn([...start, "--dry-run"]);
  expect(preview.stdout).toMatch(/^approval +careful$/m);
  const asked = await place.asAnn(start.slice(0, -1));
  expect(asked).toMatchObject(
    failing(5, "Ask for approval of the rollout of rotate-log (HIGH) on 1 service?"),
  );
  const ran = await place.asAnn(start);
  expect(ran.status).toBe(8);
  expect(ran.stdout).toMatch(/^state +AWAITING_APPROVAL$/m);
  const id = await openRequest(place);
  expect(ran.stderr).toContain("before somebody else approves it (careful).");
  expect(ran.stderr).toContain(`platformctl approvals get ${id}`);
  const { stdout } = await place.asBen(["approvals", "get", id]);
  expect(stdout).toContain("\n  chosen by     services log-collector\n  parallel      10\n");
  expect(stdout).not.toMatch(/null|^ {2}waves|maxParallel/m);
  expect(stdout).toContain("\nwave 1: 1 service\n  log-collector\n");
  await place.asBen(["approvals", "reject", id, "--reason", "no"]);
  const [rollout] = (await place.world.as("viewer").page("rollouts.list")).data;
  const watched = await place.asAnn(["rollouts", "watch", rollout?.id ?? ""]);
  expect(watched.status).toBe(8);
  expect(watched.stdout).toMatch(/^why +not approved$/m);
  expect(watched.stderr).toContain(`To see why: platformctl approvals get ${id}`);

  place.world.app.core.rollouts.start();
  const waiting = place.asAnn([...start, "--wait"]);
  const next = await openRequest(place);
  await approveAsBen(place, next);
  const waited = await waiting;
  expect(waited.stderr).toContain(`rotate-log is waiting for approval: ${next}\n`);
  expect(waited).toMatchObject({ status: 0, stdout: expect.stringMatching(/^state +SUCCEEDED$/m) });
});

test("a title means the open request, even if earlier requests had the same title", async ({
  place,
}) => {
  const { ann, ben, asBen } = place;
  await approve(ben, (await ask(ann)).id);
  const { id } = await ask(ann);
  const { stdout, status } = await asBen(["approvals", "get", "rotate-log on log-collector"]);
  expect([status, stdout]).toEqual([0, expect.stringContaining(id)]);
});

test("a schedule does not run before it is approved", async ({ place }) => {
  const create = ["schedules", "create", "nightly", "--every", "6h", "--yes"];
  const words = [...create, "--service", "log-collector", "--action", "rotate-log"];
  const ran = await place.asAnn(words);
  expect(ran.status).toBe(8);
  expect(ran.stdout).toMatch(/^note +awaiting approval$/m);
  const id = await openRequest(place);
  expect(ran.stderr).toContain("before somebody else approves it (careful).");
  expect(ran.stderr).toContain(`platformctl approvals wait ${id}`);
  const { stdout } = await place.asBen(["approvals", "get", id]);
  expect(stdout).toContain("\nnext runs (UTC)\n");
  expect(stdout).toContain("  schedule          nightly\n  when              every 6h\n");
  expect(stdout).not.toMatch(/null|scheduleId|bound/);
  const update = ["schedules", "update", "nightly", "--every", "12h", "--yes", "--wait"];
  const waiting = place.asAnn(update);
  const next = await until("the update asks", async () => {
    const now = await openRequest(place);
    return now === id ? null : now;
  });
  await approveAsBen(place, next);
  const updated = await waiting;
  expect(updated.status).toBe(0);
  expect(updated.stdout).not.toContain("awaiting approval");
});
