import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { AgentEvent } from "../../../src/agent/index.ts";
import { sidecarConfig } from "../../../src/agent/sidecar/config/config.ts";
import { createSidecar } from "../../../src/agent/sidecar/index.ts";
import { temporaryFolder } from "../../helpers/app.ts";
import type { ListeningApp } from "../../helpers/http/http.ts";
import { registrationToken } from "../harness.ts";

interface Given {
  services: object[];
  agent?: object;
  [field: string]: unknown;
}

export async function startSidecar(
  server: ListeningApp,
  first: Given,
  env: Record<string, string | undefined> = { PATH: process.env.PATH },
) {
  const folder = temporaryFolder();
  const events: AgentEvent[] = [];
  const read = (given: Given) =>
    sidecarConfig.parse({
      server: server.url,
      stateDir: join(folder, "state"),
      ...given,
      agent: { code: "edge-1", ...given.agent },
    });
  const sidecar = await createSidecar({
    config: read(first),
    origin: { folder, env },
    registrationToken: () => registrationToken(server),
    onEvent: (event) => events.push(event),
  });
  onTestFinished(() => sidecar.stop());
  await sidecar.start();
  return { folder, events, sidecar, reload: (next: Given) => sidecar.reload(read(next)) };
}

export const plain = (code: string, more: object = {}) => ({ code, version: "1", ...more });
