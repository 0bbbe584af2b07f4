// The sidecar: the library's agent with the services of a configuration, which can be replaced while it
// runs.

import { createAgent } from "../agent.ts";
import { pause } from "../bell.ts";
import { type AgentEvent, createEmit } from "../events/events.ts";
import { agentOptionsOf } from "./agent-options.ts";
import type { ServiceConfig, SidecarConfig } from "./config/config.ts";
import { changeOf, type Reloaded } from "./config-change.ts";
import type { Place } from "./place.ts";
import { endAllPrograms } from "./programs/process-group.ts";
import { RunningService } from "./running-service.ts";

/** How long the first report waits for what services answer; later ones have it. */
const firstAnswersMs = 5000;

export interface SidecarOptions {
  config: SidecarConfig;
  place: Place;
  /** The version of the program, reported unless the file has `agent.version`. */
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
  /**
   * Goes on with another configuration: new and changed services are watched before they are reported in
   * place of those before, and running actions end as they were begun. One reload after the other. Rejects
   * with AgentError OPTIONS_INVALID, and after `stop`; then nothing has changed.
   */
  reload(config: SidecarConfig): Promise<Reloaded>;
  /** Lets actions end within `stopGrace`, and leaves no program behind. Never rejects. */
  stop(): Promise<void>;
}

/** Nothing happens before `start`. Throws AgentError OPTIONS_INVALID. */
export async function createSidecar(options: SidecarOptions): Promise<Sidecar> {
  const { place, version, registrationToken, onEvent } = options;
  const own = await agentOptionsOf(options.config, place, version);
  const agent = createAgent({ ...own, registrationToken, onEvent });
  const ender = new AbortController();
  // Before the start there is nobody to report to; then it is in the first report.
  const onChange = () => void agent.reportNow().catch(() => undefined);
  const around = { agent, place, stateDir: own.stateDir, emit: createEmit(onEvent), onChange };
  const runningOf = (services: ServiceConfig[]) =>
    services.map((service) => new RunningService(service, around));
  let config = options.config;
  let running = runningOf(config.services);
  for (const service of running) service.report();
  let isStarted = false;
  let reloading: Promise<unknown> = Promise.resolve();
  let stopping: Promise<void> | null = null;

  async function start(): Promise<void> {
    try {
      await firstAnswers(running);
      await agent.start();
    } catch (error) {
      await stop();
      throw error;
    }
    isStarted = true;
    forward();
  }

  async function firstAnswers(services: RunningService[]): Promise<void> {
    const answers = Promise.all(services.map((service) => service.watch()));
    await Promise.race([answers, pause(firstAnswersMs, ender.signal)]);
  }

  function forward(): void {
    if (!isStarted || ender.signal.aborted) return;
    for (const service of running) service.forward();
  }

  function reload(next: SidecarConfig): Promise<Reloaded> {
    const reloaded = reloading.then(() => apply(next));
    reloading = reloaded.catch(() => undefined);
    return reloaded;
  }

  /** Whatever can fail comes before anything is changed. */
  async function apply(next: SidecarConfig): Promise<Reloaded> {
    ender.signal.throwIfAborted();
    const options = await agentOptionsOf(next, place, version);
    const change = changeOf(config, { config: next, options }, own);
    const { added, removed, changed } = change;
    const isNew = ({ code }: ServiceConfig) => added.includes(code) || changed.includes(code);
    const isOld = ({ code }: ServiceConfig) => removed.includes(code) || changed.includes(code);
    const coming = runningOf(next.services.filter(isNew));
    const { code: _code, ...description } = options.agent;
    // What is gone from the file must not stay from before.
    agent.describe({ name: undefined, labels: {}, ...description });
    // Meanwhile those before are reported: operators see no UNKNOWN in between.
    await firstAnswers(coming);
    const going = running.filter((service) => isOld(service.config));
    for (const service of going) service.withdraw();
    for (const service of coming) service.report();
    running = [...running.filter((service) => !going.includes(service)), ...coming];
    config = next;
    onChange();
    await Promise.all(going.map((service) => service.stop()));
    forward();
    return change;
  }

  function stop(): Promise<void> {
    stopping ??= end();
    return stopping;
  }

  async function end(): Promise<void> {
    ender.abort(new Error("the agent stops"));
    const stopped = agent.stop({ graceSeconds: config.stopGrace / 1000 });
    await Promise.all([stopped, reloading]);
    await Promise.all(running.map((service) => service.stop()));
    await endAllPrograms();
  }

  return {
    get agentId() {
      return agent.agentId;
    },
    start,
    reload,
    stop,
  };
}
