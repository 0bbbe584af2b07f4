// After the database has lost rows, schedules and rollouts wait until an owner accepts the loss.

import { join } from "node:path";
import { expect, test } from "vitest";
import { acceptLoss } from "../../../src/core/audit/data-loss.ts";
import { copyAuditHead, signAuditHead } from "../../../src/core/audit/signed-head.ts";
import { verifyAuditEvents } from "../../../src/core/audit/verification.ts";
import { systemContext } from "../../../src/core/context.ts";
import { advanceRollout } from "../../../src/core/rollouts/advance.ts";
import { health } from "../../../src/core/system/system.ts";
import { jobTable } from "../../../src/jobs/index.ts";
import { openTestApp } from "../../helpers/app.ts";
import { expectRefused } from "../refusals.ts";
import { openSchedules } from "../schedules/schedules-scene.ts";
import { restarted } from "./another-process.ts";
import { addRows, tamper } from "./long-trail.ts";

async function openScene() {
  const scene = await openSchedules();
  await scene.app.noteStarted();
  const { id: scheduleId } = await scene.create({ cron: "*/10 * * * *" });
  const body = { action: "rotate", selector: "", deadlineSeconds: 86_400 };
  const { core } = scene.app;
  return {
    ...scene,
    core,
    scheduleId,
    /** Deletes the newest rows of the trail, which a lagging replica would not have. */
    async lose() {
      await signAuditHead(core);
      const [newest] = await scene.trail({ pageSize: 1 });
      await tamper(scene, `DELETE FROM audit_events WHERE seq > ${newest!.seq - 2}`);
      return newest!.seq;
    },
    async startRollout() {
      const { id } = await scene.operator.call("rollouts.create", { body });
      while (await advanceRollout(core, id));
      return (await scene.operator.call("rollouts.get", { params: { rolloutId: id } })).targets;
    },
    health: async () => {
      const { status, database } = await health(systemContext(core));
      return [status, database.status, "reason" in database ? database.reason : null];
    },
    accept: () => scene.as("owner").call("maintenance.accept-data-loss"),
  };
}

test("schedules and rollouts start nothing until an owner has accepted the loss", async () => {
  const scene = await openScene();
  expect(await scene.health()).toEqual(["UP", "UP", null]);
  await expectRefused(scene.accept(), "NOT_FOUND");
  const lostRow = await scene.lose();
  await jobTable()
    .find(({ name }) => name === "sign-audit-head")!
    .run(scene.core);
  expect(await scene.health()).toEqual(["DEGRADED", "DEGRADED", "DATA_LOST"]);
  const { dataLoss } = await scene.as("viewer").call("overview.get");
  expect(dataLoss).toMatchObject({ lostRow, acceptedAt: null });
  const [damaged] = await scene.trail({ action: "audit.damaged" });
  expect(damaged!.message).toContain("failover to a lagging replica");

  await scene.at("03:20:00");
  expect(await scene.history(scene.scheduleId)).toEqual([]);
  expect(await scene.startRollout()).toMatchObject({ WAITING: 1 });

  await expectRefused(scene.as("operator").call("maintenance.accept-data-loss"), "FORBIDDEN");
  expect(await scene.accept()).toMatchObject({ lostRow, acceptedBy: "owner key" });
  await expectRefused(scene.accept(), "NOT_FOUND");
  const [accepted] = await scene.trail({ action: "maintenance.data_loss.accepted" });
  expect(accepted).toMatchObject({ actorName: "owner key", metadata: { lostRow } });
  expect(await scene.health()).toEqual(["UP", "UP", null]);
  await scene.tick();
  expect(await scene.history(scene.scheduleId)).toEqual(["03:10 SKIPPED MISSED", "03:20 RUNNING"]);
  expect(await scene.startRollout()).toMatchObject({ RUNNING: 1 });
});

test("another loss must be accepted again, but not the same one after a restart", async () => {
  const scene = await openScene();
  await signAuditHead(scene.core);
  await copyAuditHead(scene.core);
  await scene.lose();
  await signAuditHead(scene.core);
  await scene.accept();
  const next = openTestApp({ DATA_DIR: scene.config.dataDir }, {}, scene.clock);
  await next.app.noteStarted();
  await signAuditHead(next.app.core);
  expect(await scene.health()).toEqual(["UP", "UP", null]);
  await scene.create({ name: "another" });
  await scene.lose();
  await signAuditHead(scene.core);
  expect(await scene.health()).toEqual(["DEGRADED", "DEGRADED", "DATA_LOST"]);
});

test("a server that starts after the loss notices it by the copy of the signed head", async () => {
  const scene = await openScene();
  await signAuditHead(scene.core);
  await copyAuditHead(scene.core);
  await scene.app.close();
  await scene.lose();
  const next = openTestApp({ DATA_DIR: scene.config.dataDir }, {}, scene.clock);
  await next.app.noteStarted();
  expect(await health(systemContext(next.app.core))).toMatchObject({ status: "DEGRADED" });
});

test("the loss is accepted even if the signed head cannot be copied", async () => {
  const scene = await openScene();
  const lostRow = await scene.lose();
  await signAuditHead(scene.core);
  const core = restarted(scene);
  core.auditHeadFile = join(scene.config.dataDir, "missing", "head");
  const principal = { kind: "local", osUser: "ada" } as const;
  expect(await acceptLoss({ ...systemContext(core), principal })).toMatchObject({ lostRow });
});

test("accepting the loss on the database's host makes a trail whose end was cut off verify again", async () => {
  const scene = await openScene();
  const verify = () => {
    const request = { anchor: null, incremental: false };
    return verifyAuditEvents(systemContext(restarted(scene)), request);
  };
  await signAuditHead(scene.core);
  await copyAuditHead(scene.core);
  await verify();
  const lostRow = await scene.lose();
  await signAuditHead(scene.core);
  // An owner's credential alone does not replace signatures.
  await scene.accept();
  expect(await verify()).toMatchObject({ ok: false });
  const acceptLocally = () => {
    const principal = { kind: "local", osUser: "ada" } as const;
    return acceptLoss({ ...systemContext(restarted(scene)), principal });
  };
  expect(await acceptLocally()).toMatchObject({ lostRow, acceptedBy: "ada" });
  const [row] = await scene.trail({ action: "maintenance.data_loss.accepted" });
  const signed = { seq: lostRow, hash: expect.any(String) };
  expect(row!.metadata).toMatchObject({
    replaced: { head: signed, headCopy: signed, verified: signed },
  });
  const acceptedLoss = { seq: row!.seq, by: "ada", lostRow };
  expect(await verify()).toMatchObject({ ok: true, broken: null, acceptedLoss });
  await expectRefused(acceptLocally(), "NOT_FOUND");
  // If rows with the same numbers are lost later, that is a new loss.
  await addRows(scene, 2);
  await signAuditHead(scene.core);
  await tamper(scene, `DELETE FROM audit_events WHERE seq > ${row!.seq}`);
  expect(await verify()).toMatchObject({ ok: false });
  expect(await scene.health()).toEqual(["DEGRADED", "DEGRADED", "DATA_LOST"]);
});
