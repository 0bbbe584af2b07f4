// What is different in a configuration that was read again: of its services, of what takes effect by
// itself, and of what only a new start can change.

import { isDeepStrictEqual } from "node:util";
import type { AgentOptions } from "../options.ts";
import type { ServiceConfig, SidecarConfig } from "./config/config.ts";

/** What a reload has done. Services are named by their codes. */
export interface Reloaded {
  added: string[];
  removed: string[];
  changed: string[];
  /** Fields of the file besides the services whose new values are in use. */
  applied: string[];
  /** Fields whose new values are used after the next start. */
  needsRestart: string[];
  /** Fields whose new values are used when the agent registers the next time. */
  needsRegistration: string[];
}

interface Configured {
  config: SidecarConfig;
  /** As the agent is made of it. */
  options: AgentOptions;
}

/** From one configuration to the next, of an agent that was started with these options. */
export function changeOf(
  before: SidecarConfig,
  after: Configured,
  started: AgentOptions,
): Reloaded {
  const { needsRestart, needsRegistration } = notApplied(started, after.options);
  const unnamed = isNameRemoved(before, after.config) ? ["agent.name"] : [];
  return {
    ...serviceChange(before.services, after.config.services),
    applied: applied(before, after.config),
    needsRestart,
    needsRegistration: [...needsRegistration, ...unnamed],
  };
}

function serviceChange(before: ServiceConfig[], after: ServiceConfig[]) {
  const old = new Map(before.map((service) => [service.code, service]));
  const codes = new Set(after.map(({ code }) => code));
  const added = after.filter(({ code }) => !old.has(code));
  const changed = after.filter((service) => {
    const was = old.get(service.code);
    return was !== undefined && !isDeepStrictEqual(was, service);
  });
  return {
    added: added.map(({ code }) => code),
    removed: [...old.keys()].filter((code) => !codes.has(code)),
    changed: changed.map(({ code }) => code),
  };
}

function applied(before: SidecarConfig, after: SidecarConfig): string[] {
  const fields = different(before.agent, after.agent, ["name", "version", "labels"]);
  return [
    ...different(before, after, ["registrationToken", "stopGrace"]),
    ...fields.filter((field) => field !== "name" || !isNameRemoved(before, after)).map(inAgent),
  ];
}

/** The server keeps a name that it is not told any more. */
function isNameRemoved(before: SidecarConfig, after: SidecarConfig): boolean {
  return before.agent.name !== undefined && after.agent.name === undefined;
}

/** `started` is what the agent was started with: a change that is taken back is none. */
function notApplied(started: AgentOptions, now: AgentOptions) {
  const restart = ["server", "proxy", "insecureSkipTlsVerify", "stateDir", "concurrency"] as const;
  return {
    needsRestart: [
      ...different(started, now, restart),
      // The certificates count: another file may hold the same ones.
      ...(started.ca === now.ca ? [] : ["caFile"]),
      ...different(started.agent, now.agent, ["code"]).map(inAgent),
    ],
    needsRegistration: different(started.agent, now.agent, ["mode"]).map(inAgent),
  };
}

function different<T extends object>(before: T, after: T, fields: readonly (keyof T & string)[]) {
  return fields.filter((field) => !isDeepStrictEqual(before[field], after[field]));
}

function inAgent(field: string): string {
  return `agent.${field}`;
}
