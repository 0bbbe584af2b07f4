// The sidecar of `platform demo`, in this process and with short waits: after an agent is enabled,
// it is back within a second instead of half a minute.

import { join } from "node:path";
import { onTestFinished } from "vitest";
import { createAgent } from "../../../src/agent/index.ts";
import { parseConfig } from "../../../src/agent/sidecar/index.ts";
import { RunningService } from "../../../src/agent/sidecar/running-service.ts";
import {
  type SidecarFileOptions,
  sidecarFile,
} from "../../../src/cli/commands/demo/sidecar-file.ts";

/** Starts the sidecar, and resolves after its first report. */
export async function startDemoSidecar(
  folder: string,
  options: SidecarFileOptions,
  registrationToken: string,
): Promise<void> {
  const { server, agent: description, services } = parseConfig("agent.yaml", sidecarFile(options));
  const stateDir = join(folder, "agent-state");
  const agent = createAgent({
    server,
    agent: description,
    registrationToken,
    stateDir,
    timing: { refusedRetrySeconds: 1 },
  });
  const origin = { folder, env: {} };
  const onChange = () => void agent.reportNow().catch(() => undefined);
  const ignored = () => undefined;
  const isOwn = () => true;
  const serviceCount = () => services.length;
  const around = {
    agent,
    origin,
    stateDir,
    emit: ignored,
    isOwn,
    onChange,
    onExecuted: ignored,
    serviceCount,
  };
  const running = services.map((service) => new RunningService(service, around));
  for (const service of running) service.report();
  onTestFinished(async () => {
    await agent.stop({ graceSeconds: 0 });
    await Promise.all(running.map((service) => service.stop()));
  });
  await Promise.all(running.map((service) => service.watch()));
  await agent.start();
}
