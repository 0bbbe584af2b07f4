// The sidecar: the library's agent with the services of a configuration, and what watches them and
// forwards their events.

import { createAgent } from "../agent.ts";
import { pause } from "../bell.ts";
import { type AgentEvent, createEmit } from "../events.ts";
import { agentOptionsOf } from "./agent-options.ts";
import type { SidecarConfig } from "./config/config.ts";
import { Forwarder } from "./events/forwarder.ts";
import { managedProgram } from "./managed-program.ts";
import type { Place } from "./place.ts";
import { endAllPrograms } from "./programs/process-group.ts";

/** How long the first report waits for what services answer; later ones have it. */
const firstAnswersMs = 5000;

export interface SidecarOptions {
  config: SidecarConfig;
  place: Place;
  /** Of the program, for operators; one in the file is told instead. */
  version?: string | undefined;
  /** Asked each time that one is needed. Rejects with an Error that says why there is none. */
  registrationToken: () => Promise<string>;
  onEvent?: ((event: AgentEvent) => void) | undefined;
}

export interface Sidecar {
  /** `agt_…`; null before it is registered. */
  readonly agentId: string | null;
  /** As the library's: keeps trying while the server is away. Rejects with AgentError; it has then stopped. */
  start(): Promise<void>;
  /** Lets actions end within `stopGrace`, and leaves no program behind. Never rejects. */
  stop(): Promise<void>;
}

/** Nothing happens before `start`. Throws AgentError OPTIONS_INVALID. */
export async function createSidecar(options: SidecarOptions): Promise<Sidecar> {
  const { config, place, version, registrationToken, onEvent } = options;
  const own = await agentOptionsOf(config, place, version);
  const { stateDir } = own;
  const agent = createAgent({ ...own, registrationToken, onEvent });
  const emit = createEmit(onEvent);
  const ender = new AbortController();
  // Before the start there is nobody to report to; then it is in the first report.
  const report = () => void agent.reportNow().catch(() => undefined);
  const programs = config.services.map((one) => managedProgram(one, place, emit, report));
  for (const { service } of programs) agent.service(service);
  let forwarding: Promise<void>[] = [];
  let stopping: Promise<void> | null = null;

  async function start(): Promise<void> {
    try {
      const answers = Promise.all(programs.map((one) => one.start()));
      await Promise.race([answers, pause(firstAnswersMs, ender.signal)]);
      await agent.start();
    } catch (error) {
      await stop();
      throw error;
    }
    forwarding = config.services.flatMap(({ code: serviceCode, bus }) => {
      if (!bus || ender.signal.aborted) return [];
      const { publish } = agent;
      const forwarder = new Forwarder({ serviceCode, bus, place, stateDir, publish, emit });
      return [forwarder.start(ender.signal)];
    });
  }

  function stop(): Promise<void> {
    stopping ??= end();
    return stopping;
  }

  async function end(): Promise<void> {
    ender.abort(new Error("the agent stops"));
    const stopped = agent.stop({ graceSeconds: config.stopGrace / 1000 });
    await Promise.all([stopped, ...forwarding]);
    await Promise.all(programs.map((one) => one.stop()));
    await endAllPrograms();
  }

  return {
    get agentId() {
      return agent.agentId;
    },
    start,
    stop,
  };
}
