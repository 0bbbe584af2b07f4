// What the library's agent is told of a configuration: who it is, the way to the server, its folder.

import { readFile } from "node:fs/promises";
import { AgentError, messageOf } from "../connection/errors.ts";
import type { AgentOptions } from "../options.ts";
import type { SidecarConfig } from "./config/config.ts";
import { type Place, pathIn } from "./place.ts";

/** Throws AgentError OPTIONS_INVALID when the `caFile` cannot be read. */
export async function agentOptionsOf(
  config: SidecarConfig,
  place: Place,
  version?: string,
): Promise<AgentOptions> {
  const { server, proxy, insecureSkipTlsVerify, agent, concurrency } = config;
  return {
    server,
    ca: await caOf(config, place),
    proxy,
    insecureSkipTlsVerify,
    env: place.env,
    agent: { ...agent, version: agent.version ?? version },
    stateDir: pathIn(place, config.stateDir),
    concurrency,
  };
}

async function caOf({ caFile }: SidecarConfig, place: Place): Promise<string | undefined> {
  if (caFile === undefined) return undefined;
  const path = pathIn(place, caFile);
  return readFile(path, "utf8").catch((error: unknown) => {
    const message = `The agent cannot be made: caFile ${path} cannot be read: ${messageOf(error)}.`;
    throw new AgentError("OPTIONS_INVALID", message, error);
  });
}
