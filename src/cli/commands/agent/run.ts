import { resolve } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { AgentError, AgentEvent } from "../../../agent/index.ts";
import type { ConfigFile } from "../../../agent/sidecar/index.ts";
import { mistypedVariables } from "../../../config/mistyped.ts";
import { holdHangUps, untilSignal } from "../../../lib/until-signal.ts";
import type { Invocation } from "../../command.ts";
import { CliError, exit } from "../../exit.ts";
import { programVersion } from "../../version.ts";
import { readAgentFile } from "./agent-file.ts";
import { logEvent, openAgentLog } from "./agent-log.ts";
import { reloader } from "./agent-reload.ts";

/** Throws a CliError if the agent cannot start. It can start while the server is unavailable. */
export async function runSidecar({ io, options }: Invocation): Promise<void> {
  using hangUps = holdHangUps();
  // An agent has little to do for months, so low memory use matters more than speed. This must be
  // set before the agent's code is loaded. (docs/performance.md)
  setFlagsFromString("--optimize-for-size");
  const { config: path } = options as { config: string };
  const log = await openAgentLog(io, options);
  let file = await readAgentFile(io, path);
  const { config, warnings, origin } = file;
  const { code } = config.agent;
  const services = config.services.map((service) => service.code);
  const version = programVersion(io.env.VERSION);
  const stateDir = resolve(origin.folder, config.stateDir);
  const { createSidecar } = await import("../../../agent/sidecar/index.ts");
  const refused = new Set<string>();
  const onEvent = (event: AgentEvent) => {
    logEvent(log, event, adviceFor(event, file, path));
    if (event.type === "service.refused") refused.add(event.serviceCode);
  };
  const registrationToken = () => file.registrationToken();
  const sidecar = await starting(file, path, () =>
    createSidecar({ config, origin, registrationToken, version, onEvent }),
  );
  log.info(
    { agent: code, server: config.server, services, stateDir, version },
    `the agent ${code} of ${config.server} manages ${services.join(", ")}`,
  );
  for (const warning of [...warnings, ...mistypedVariables(io.env)]) log.warn({}, warning);
  let isStopping = false;
  const stop = () => {
    isStopping = true;
    const seconds = file.config.stopGrace / 1000;
    const then = "a second signal stops them immediately";
    log.info({}, `stopping: running actions have ${seconds} s to finish; ${then}`);
    return sidecar.stop();
  };
  const reload = reloader(io, path, log, async (next) => {
    const reloaded = await sidecar.reload(next.config);
    file = next;
    return reloaded;
  });
  // Also handles SIGHUP from a terminal, which by default would end the agent but not its programs.
  const ended = untilSignal(stop, { reload: () => void (isStopping || reload()) });
  if (hangUps.release()) void reload();
  await starting(file, path, () => sidecar.start()).catch((error: unknown) => {
    // A start that was stopped before it completed is not a failure.
    if (!isStopping) throw error;
  });
  const others = refused.size > 0 ? `; the server refuses ${[...refused].join(", ")}` : "";
  if (!isStopping) {
    log.info({ agentId: sidecar.agentId }, `the agent is running${others}`);
    forgetTheStart();
  }
  await ended;
}

/** Frees memory that only the start needed, such as compiled code. Takes 50 to 70 ms. */
function forgetTheStart(): void {
  setFlagsFromString("--expose-gc");
  const collect: (how: object) => void = runInNewContext("gc");
  setFlagsFromString("--no-expose-gc");
  collect({ type: "major", flavor: "last-resort" });
}

async function starting<T>(file: ConfigFile, path: string, work: () => Promise<T>): Promise<T> {
  const { AgentError } = await import("../../../agent/index.ts");
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof AgentError)) throw error;
    const { code, message } = error;
    const next = nextStep(error, file, path);
    const text = next === null ? message : `${message.replace(/[.]?$/, ".")} ${next}`;
    throw new CliError(statuses[code] ?? exit.failed, text, { code });
  }
}

const statuses: Partial<Record<AgentError["code"], number>> = {
  OPTIONS_INVALID: exit.usage,
  REGISTRATION_TOKEN_MISSING: exit.notAllowed,
  REGISTRATION_REFUSED: exit.notAllowed,
  STATE_IN_USE: exit.conflict,
};

function nextStep({ code, cause }: AgentError, file: ConfigFile, path: string): string | null {
  if (code === "REGISTRATION_TOKEN_MISSING") return "Create one with `platformctl tokens create`.";
  if (code === "REGISTRATION_REFUSED" && isAboutToken(String((cause as { code?: unknown }).code))) {
    return `The agent looks for its token in ${placeOfToken(file, path)}.`;
  }
  return null;
}

function placeOfToken({ config: { registrationToken: source } }: ConfigFile, path: string): string {
  if (typeof source === "string") return `${path}, registrationToken`;
  return "env" in source ? `the variable ${source.env}` : `the file ${source.file}`;
}

function adviceFor(event: AgentEvent, file: ConfigFile, path: string): string | null {
  if (event.type !== "refused" || !isAboutToken(event.code)) return null;
  const { registrationToken: source } = file.config;
  const isFixed = typeof source !== "string" && "env" in source;
  const then = isFixed
    ? "restart the agent after a change"
    : "a change takes effect without a restart";
  return `The agent looks for its token in ${placeOfToken(file, path)}; ${then}.`;
}

function isAboutToken(code: string): boolean {
  return ["UNAUTHORIZED", "AGENT_CODE_TAKEN"].includes(code) || code.startsWith("REGISTRATION_");
}
