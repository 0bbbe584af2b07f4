import { expect, test } from "vitest";
import { keys, openTerminal } from "../helpers/process/terminal.ts";
import { openWorld } from "./world.ts";

test("at a confirmation, Ctrl-C changes nothing and exits with 130, and y makes the change", async () => {
  const world = await openWorld();
  const revoke = ["agents", "revoke-token", "edge-2", "--db", world.file];
  const terminal = openTerminal(revoke);
  await terminal.shows("Revoke the token of edge-2?");
  terminal.type(keys.ctrlC);
  expect(await terminal.ended).toBe(130);
  const { stdout } = await world.run("--server", ["agents", "get", "edge-2", "-o", "json"]);
  expect(JSON.parse(stdout).token).not.toBeNull();

  const agreed = openTerminal(revoke);
  await agreed.shows("Revoke the token of edge-2?");
  agreed.type(`y${keys.enter}`);
  expect(await agreed.ended).toBe(0);
  expect(agreed.text()).toMatch(/token +revoked/);
});
