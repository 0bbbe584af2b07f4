import { readFile } from "node:fs/promises";
import { AgentError, messageOf } from "../connection/errors.ts";
import type { AgentOptions } from "../options.ts";
import type { SidecarConfig } from "./config/config.ts";
import { type ConfigOrigin, pathIn } from "./config/config-origin.ts";

/** Throws AgentError OPTIONS_INVALID if the `caFile` cannot be read. */
export async function agentOptionsOf(
  config: SidecarConfig,
  origin: ConfigOrigin,
  version?: string,
): Promise<AgentOptions> {
  const { server, proxy, insecureSkipTlsVerify, agent, concurrency } = config;
  return {
    server,
    ca: await caOf(config, origin),
    proxy,
    insecureSkipTlsVerify,
    env: origin.env,
    agent: { ...agent, version: agent.version ?? version },
    stateDir: pathIn(origin, config.stateDir),
    concurrency,
    completeReports: true,
  };
}

async function caOf({ caFile }: SidecarConfig, origin: ConfigOrigin): Promise<string | undefined> {
  if (caFile === undefined) return undefined;
  const path = pathIn(origin, caFile);
  return readFile(path, "utf8").catch((error: unknown) => {
    const message = `Cannot create the agent: caFile ${path} cannot be read: ${messageOf(error)}.`;
    throw new AgentError("OPTIONS_INVALID", message, error);
  });
}
