// A rollout on the services of real sidecars stops at failures, and runs the failed services again.

import { expect, test } from "vitest";
import { createKey } from "../../helpers/process/operator.ts";
import { platformctl, startServer } from "../../helpers/process/process.ts";
import { rowsIn } from "../../helpers/process/rows.ts";
import { clientOf, Machine, services, settings, startFleet } from "./fleet.ts";

test("a rollout stops in its second wave, says why, and a retry runs the failed services alone", async () => {
  const server = await startServer({ env: settings });
  const key = await createKey(server);
  // The first wave has 5 services, the second 20.
  const machine = await Machine.start({ breaks: [9, 12], takesMs: 10 });
  const operator = clientOf(server.url, key);
  await startFleet(server.url, operator, machine);
  const env = { PLATFORM_URL: server.url, PLATFORM_API_KEY: key };
  const rollouts = (...words: string[]) => platformctl(["rollouts", ...words], { env });

  const started = await rollouts(
    ...["start", "deploy", "-l", "tier=web", "--waves", "5,25", "--parallel", "4"],
    ...["--max-failures", "1", "--wait", "--yes"],
  );
  const broken = [...machine.broken];
  expect(broken).toHaveLength(2);
  expect(started.status).toBe(7);
  for (const code of broken) {
    const why = `failed: ${code}: DISK_FULL: ${code} has no space left`;
    expect(started.stderr).toContain(why);
  }
  const id = /rollouts retry (rol_\w{26})/.exec(started.stderr)?.[1] ?? "";
  const ran = machine.executions.length;
  expect(ran).toBeGreaterThanOrEqual(12);
  expect(new Set(machine.executions).size).toBe(ran);
  // After the second failure, no command is created.
  const audited = await rowsIn(server.file, "SELECT action FROM audit_events ORDER BY seq");
  const actions = audited.flat();
  const created = actions.lastIndexOf("command.created");
  expect(actions.slice(0, created).filter((name) => name === "command.failed")).toHaveLength(1);

  const { status, stdout } = await rollouts("get", id);
  expect(status).toBe(0);
  expect(stdout).toMatch(/^state +FAILED$/m);
  expect(stdout).toMatch(/^why +too many failures$/m);
  expect(stdout).toMatch(/^ +1 +5 services: 5 SUCCEEDED$/m);
  expect(stdout).toMatch(
    new RegExp(`^ +2 +20 services: ${ran - 7} SUCCEEDED, 2 FAILED, ${25 - ran} NOT_RUN$`, "m"),
  );
  const left = services - 25;
  expect(stdout).toMatch(new RegExp(`^ +3 +${left} services: ${left} NOT_RUN$`, "m"));
  expect(stdout).toMatch(/^ +max failures: 1$/m);
  const watched = await rollouts("watch", id);
  expect(watched).toMatchObject({ status: 7, stdout: expect.stringMatching(/^state +FAILED$/m) });
  expect(watched.stderr).toBe(started.stderr);
  const listed = await rollouts("targets", id, "--state", "FAILED", "-o", "name");
  expect(listed.stdout.split("\n").filter(Boolean).sort()).toEqual(broken.toSorted());

  machine.broken.clear();
  const retried = await rollouts("retry", id, "--wait", "--yes");
  expect(retried).toMatchObject({ status: 0, stderr: "" });
  expect(retried.stdout).toMatch(/^state +SUCCEEDED$/m);
  expect(retried.stdout).toContain(id);
  expect(machine.executions.slice(ran).sort()).toEqual(broken.toSorted());
  expect(ran + 2).toBeLessThan(services);
});
