import { expect, test } from "vitest";
import { keys, openTerminal } from "../../helpers/process/terminal.ts";
import { failing, openWorld } from "../world.ts";

test("`api-keys create` without --role asks at a terminal, and fails elsewhere", async () => {
  const { run, db, as } = await openWorld();
  const refused = await run("--db", ["api-keys", "create"]);
  expect(refused).toMatchObject(failing(2, "--role is missing: what the key can do"));

  const terminal = openTerminal(["api-keys", "create", "--name", "ci", "--db", db]);
  await terminal.answer(
    /Which role\?.*\n❯ viewer: can read\n {2}operator: can also run actions\n/,
    keys.down + keys.enter,
  );
  expect(await terminal.ended).toBe(0);
  expect(terminal.text()).toContain("Keep the key now: it is shown only once.");
  expect((await as("owner").call("api-keys.list"))[0]).toMatchObject({
    name: "ci",
    role: "operator",
  });
});
