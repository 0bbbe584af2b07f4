// The sidecar of `platform demo`, in this process and with short waits: after an agent is enabled,
// it is back within a second instead of half a minute.

import { join } from "node:path";
import { onTestFinished } from "vitest";
import { createAgent } from "../../../src/agent/index.ts";
import { parseConfig } from "../../../src/agent/sidecar/index.ts";
import { managedProgram } from "../../../src/agent/sidecar/managed-program.ts";
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
  const agent = createAgent({
    server,
    agent: description,
    registrationToken,
    stateDir: join(folder, "agent-state"),
    timing: { refusedRetrySeconds: 1 },
  });
  const place = { folder, env: {} };
  const report = () => void agent.reportNow().catch(() => undefined);
  const programs = services.map((service) => managedProgram(service, place, () => {}, report));
  for (const { service } of programs) agent.service(service);
  onTestFinished(async () => {
    await agent.stop({ graceSeconds: 0 });
    await Promise.all(programs.map((program) => program.stop()));
  });
  await Promise.all(programs.map((program) => program.start()));
  await agent.start();
}
