import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { sidecarConfig } from "../../../src/agent/sidecar/config/config.ts";
import { createSidecar } from "../../../src/agent/sidecar/index.ts";
import { temporaryFolder } from "../../helpers/app.ts";
import { listenTestApp } from "../../helpers/http/http.ts";
import { execute, registrationToken } from "../harness.ts";
import { atOnce, stuckPort, watchedEnv } from "./services.ts";

test("a stop waits for no service, and no command is accepted after it began", async () => {
  const server = await listenTestApp();
  const [folder, stuck] = [temporaryFolder(), await stuckPort()];
  const { env, isRead } = watchedEnv("KEY");
  const url = `http://127.0.0.1:${stuck}/`;
  const config = sidecarConfig.parse({
    server: server.url,
    agent: { code: "edge-1" },
    stateDir: join(folder, "state"),
    services: [
      {
        code: "collector",
        version: "1.0.0",
        bus: { url, headers: { key: { env: "KEY" } }, timeout: 600 },
        actions: [{ name: "work", execute: { exec: { command: ["/usr/bin/touch", "ran"] } } }],
      },
    ],
  });
  const sidecar = await createSidecar({
    config,
    origin: { folder, env },
    registrationToken: () => registrationToken(server),
  });
  onTestFinished(() => sidecar.stop());
  await sidecar.start();
  await isRead;
  const stopped = sidecar.stop();
  await execute(server);
  await atOnce(stopped);
  expect(existsSync(join(folder, "ran"))).toBe(false);
});
