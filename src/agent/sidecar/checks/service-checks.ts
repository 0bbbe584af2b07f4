// Runs each probe, and reads each version, value and event list once, but runs no actions.

import type {
  ActionConfig,
  BusConfig,
  ConfigSource,
  HandlerConfig,
  ServiceConfig,
} from "../config/config.ts";
import type { Abortable, ConfigOrigin } from "../config/config-origin.ts";
import { askForEvents, tooLarge } from "../events/service-events.ts";
import { oneLine } from "../lines.ts";
import { configEntriesOf } from "../probes/config-values.ts";
import { probe } from "../probes/probes.ts";
import { readVersion } from "../probes/version-source.ts";
import type { Check, CheckResult } from "./check.ts";
import { failure, ok } from "./check.ts";
import { findProgram } from "./find-program.ts";

const shownLength = 80;

export function serviceChecks(service: ServiceConfig, origin: ConfigOrigin): Check[] {
  const { code, health, version, configs, actions, bus } = service;
  const check = (what: string, run: Check["run"]): Check => ({ service: code, what, run });
  return [
    ...(health
      ? [
          check("health", async (signal) => {
            const { ok: isGood, message } = await probe(health, { ...origin, signal });
            return isGood ? ok(message) : failure(message);
          }),
        ]
      : []),
    check("version", async (signal) => ok(await readVersion(version, { ...origin, signal }))),
    ...configs.map((source) => check(`config ${source.key}`, () => checkValue(source, origin))),
    ...actions.map((action) => check(`action ${action.name}`, () => checkAction(action, origin))),
    ...(bus ? [check("bus", (signal) => checkBus(bus, { ...origin, signal }))] : []),
  ];
}

async function checkValue(source: ConfigSource, origin: ConfigOrigin): Promise<CheckResult> {
  const [entry] = await configEntriesOf([source], origin)();
  if (source.sensitive) return ok(`sensitive: not read (${entry?.source})`);
  if (entry?.valuePreview === undefined) return failure(entry?.source ?? "");
  const value = entry.valuePreview;
  return ok(oneLine(typeof value === "string" ? value : JSON.stringify(value), shownLength));
}

async function checkAction({ prepare, execute }: ActionConfig, origin: ConfigOrigin) {
  const found = [await describe(execute, "POST", origin)];
  if (prepare) found.push(await describe(prepare, "GET", origin));
  return ok([...new Set(found)].join("; "));
}

/** Reads one event without forwarding it. */
async function checkBus(bus: BusConfig, origin: Abortable) {
  const page = await askForEvents(bus, { after: null, limit: 1 }, origin);
  if (page === null) throw tooLarge(bus);
  return ok(page.events.length === 0 ? "no events yet" : "has events");
}

async function describe({ exec, http }: HandlerConfig, usualMethod: string, origin: ConfigOrigin) {
  if (exec) return `not run: ${await findProgram(exec, origin)}`;
  if (http) return `not called: ${http.method ?? usualMethod} ${withoutSecrets(http.url)}`;
  throw new Error("there is nothing to run");
}

/** Placeholders remain unchanged. */
function withoutSecrets(url: string): string {
  return url.replace(/[?#].*$/, "").replace(/:\/\/[^/]*@/, "://");
}
