import { hostname } from "node:os";
import { codePattern } from "../../../domain/fleet/agents.ts";
import type { Invocation } from "../../command.ts";
import { usualServerOf } from "../../connecting/own-server.ts";
import { serverUrl } from "../../connecting/server-url.ts";
import { usageError } from "../../exit.ts";

export async function printSample({ io, options }: Invocation): Promise<void> {
  const given = options as { server?: string; code?: string; stateDir?: string };
  const { server = await usualServerOf(io), code = codeOfHost(), stateDir = "agent-state" } = given;
  if (!codePattern.test(`${code}-host`)) {
    throw usageError(
      `--code must have at most 123 letters, digits and . _ : -, as in edge-7, not ${code}.`,
    );
  }
  const { sampleConfig } = await import("../../../agent/sidecar/index.ts");
  io.out(sampleConfig({ server: serverUrl(server, "--server"), code, stateDir }));
}

function codeOfHost(): string {
  const code = hostname().split(".", 1)[0] ?? "";
  return codePattern.test(code) ? code : "edge-1";
}
