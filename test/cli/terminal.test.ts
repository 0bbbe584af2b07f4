import { expect, test } from "vitest";
import { keys, openTerminal } from "../helpers/process/terminal.ts";
import { openWorld } from "./world.ts";

test("Ctrl-C and the answer no at a confirmation change nothing and exit with 130 and 5", async () => {
  const world = await openWorld();
  const revoke = ["agents", "revoke-token", "edge-2", "--db", world.db];
  const terminal = openTerminal(revoke);
  await terminal.answer("Revoke the token of edge-2?", keys.ctrlC);
  expect(await terminal.ended).toBe(130);

  const declined = openTerminal(revoke);
  await declined.answer("Revoke the token of edge-2?", `n${keys.enter}`);
  expect(await declined.ended).toBe(5);
  expect(declined.text()).toContain("not confirmed; nothing was done.");

  const { stdout } = await world.run("--server", ["agents", "get", "edge-2", "-o", "json"]);
  expect(JSON.parse(stdout).token).not.toBeNull();
});
