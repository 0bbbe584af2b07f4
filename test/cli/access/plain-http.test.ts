// Tests the warning about credentials that go to another host over plain HTTP.

import { expect, test } from "vitest";
import { makeAgent, serviceWith } from "../../agent/harness.ts";
import { cli, openWorld } from "../world.ts";

// `.invalid` never resolves, so nothing leaves this host.
const elsewhere = "http://agents.invalid";

test("an API key that is sent to another host causes one warning, and to this host none", async () => {
  const env = { API_KEY: "platform_key_x" };
  const far = await cli(["agents", "list", "--server", elsewhere], { env });
  expect(far.stderr).toMatch(/^The API key goes to http:\/\/agents.invalid unencrypted: /);
  expect(far.stderr.match(/unencrypted/g)).toHaveLength(1);
  const json = await cli(["agents", "list", "--server", elsewhere, "-o", "json"], { env });
  const [note = "", error = ""] = json.stderr.split("\n");
  expect(JSON.parse(note).note.code).toBe("UNENCRYPTED");
  expect(JSON.parse(error).error.code).toBe("UNREACHABLE");
  const https = await cli(["agents", "list", "--server", "https://agents.invalid"], { env });
  expect(https.stderr).not.toContain("unencrypted");
  const world = await openWorld();
  const near = await world.run("--server", ["agents", "list", "-o", "name"]);
  expect(near).toMatchObject({ status: 0, stderr: "" });
});

test("an agent warns when it starts, even if the server does not respond", async () => {
  const tested = makeAgent({ server: elsewhere, services: serviceWith({}) });
  void tested.agent.start().catch(() => undefined);
  expect(await tested.event("insecure")).toMatchObject({
    level: "warn",
    message: expect.stringContaining("unencrypted"),
  });
});
