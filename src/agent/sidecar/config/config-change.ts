import { isDeepStrictEqual } from "node:util";
import type { AgentOptions } from "../../options.ts";
import type { ServiceConfig, SidecarConfig } from "./config.ts";

/** Services are listed by code. */
export interface Reloaded {
  added: string[];
  removed: string[];
  changed: string[];
  /** Fields outside `services` whose new values are in effect. */
  applied: string[];
  /** Fields whose new values take effect after a restart. */
  needsRestart: string[];
  /** Fields whose new values take effect at the next registration. */
  needsRegistration: string[];
}

interface Configured {
  config: SidecarConfig;
  options: AgentOptions;
}

/** `started` has the options with which the agent was started. */
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

/** The server keeps the old name if a heartbeat has none. */
function isNameRemoved(before: SidecarConfig, after: SidecarConfig): boolean {
  return before.agent.name !== undefined && after.agent.name === undefined;
}

/** Compares with the options at the start, so that a change that was undone does not count. */
function notApplied(started: AgentOptions, now: AgentOptions) {
  const restart = ["server", "proxy", "insecureSkipTlsVerify", "stateDir", "concurrency"] as const;
  return {
    needsRestart: [
      ...different(started, now, restart),
      // Another file may contain the same certificates.
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
