import { expect, test } from "vitest";
import { stringify } from "yaml";
import { openTerminal } from "../../helpers/process/terminal.ts";
import { guard, person } from "../approvals/people.ts";
import { fileWith, openWorld } from "../world.ts";

test("apply says what waits for approval because of a policy that is newer than the preview", async () => {
  const world = await openWorld();
  const ann = await person(world, "ann");
  const body = { name: "ann's key", role: "operator" } as const;
  const { key } = await ann.client.call("api-keys.create", { body });
  const target = {
    kind: "action",
    service: "log-collector",
    action: "rotate-log",
    confirmation: true,
  };
  const schedule = { kind: "Schedule", name: "nightly", cron: "0 3 * * *", target };
  const file = fileWith(stringify(schedule), "nightly.yaml");
  const terminal = openTerminal(["apply", "-f", file, "--server", world.url], {
    columns: 300,
    env: { PLATFORM_API_KEY: key },
  });
  await terminal.shows("1 to create? (y/N)");
  expect(terminal.text()).not.toContain("until it is approved");
  await guard(world);
  await terminal.answer("(y/N)", "y\r");
  expect(await terminal.ended).toBe(0);
  expect(terminal.text()).toMatch(
    /1 created\.\nSchedule\/nightly: Has no effect until it is approved\.$/m,
  );
});
