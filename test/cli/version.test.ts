import { expect, test } from "vitest";
import { openHome } from "./access/signed-in.ts";
import { cli, openWorld } from "./world.ts";

const made = {
  node: process.versions.node,
  sqlite: expect.stringMatching(/^3\.\d+\.\d+$/),
  packaged: false,
};

test("`version` prints the server's version if there is a server", async () => {
  const { run } = await openWorld();
  const env = { VERSION: "2.0.0", COMMIT: "abc", BUILD_TIME: "2026-01-02T03:04:05.678Z" };
  const { stdout } = await run("--server", ["version", "-o", "json"], { env });
  const server = expect.objectContaining({ version: expect.any(String), edition: "ce" });
  const client = { version: "2.0.0", commit: "abc", buildTime: env.BUILD_TIME, ...made };
  expect(JSON.parse(stdout)).toEqual({ client, server });
});

test("`version` prints only the program's own version without a target or a response", async () => {
  const client = { version: expect.stringMatching(/-dev$/), ...made };
  const alone = await openHome().run(["version", "-o", "json"]);
  expect(alone).toMatchObject({ status: 0, stderr: "" });
  expect(JSON.parse(alone.stdout)).toEqual({ client, server: null });
  for (const [where, says] of [
    [["--server", "http://127.0.0.1:1"], /^cannot reach http/],
    [["--db", "/nowhere/platform.db"], /^$/],
  ] as const) {
    const away = await cli(["version", "-o", "json", ...where]);
    expect(away.status).toBe(0);
    expect(JSON.parse(away.stdout)).toEqual({ client, server: null });
    expect(away.stderr).toMatch(says);
  }
});

test("`version` reports usage errors", async () => {
  expect(await cli(["version", "--server", "ftp://x"])).toMatchObject({ status: 2, stdout: "" });
  expect(await cli(["version", "--context", "x"])).toMatchObject({ status: 3, stdout: "" });
});
