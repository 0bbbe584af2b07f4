import { createAgent } from "../agent.ts";
import { pause } from "../bell.ts";
import { type AgentEvent, createEmit } from "../events/events.ts";
import { agentOptionsOf } from "./agent-options.ts";
import type { ServiceConfig, SidecarConfig } from "./config/config.ts";
import { changeOf, type Reloaded } from "./config/config-change.ts";
import type { ConfigOrigin } from "./config/config-origin.ts";
import { endAllPrograms } from "./programs/process-group.ts";
import { RunningService } from "./running-service.ts";

/** How long a start or reload waits for the first checks. Slower ones are in a later report. */
const firstResultsMs = 5000;

export interface SidecarOptions {
  config: SidecarConfig;
  origin: ConfigOrigin;
  /** The sidecar's version, which `agent.version` in the file overrides. */
  version?: string | undefined;
  /** Called each time a token is needed. Rejects with an Error that says why there is none. */
  registrationToken: () => Promise<string>;
  onEvent?: ((event: AgentEvent) => void) | undefined;
}

export interface Sidecar {
  /** `agt_…`; null before the agent is registered. */
  readonly agentId: string | null;
  /** Like `Agent.start`. After a rejection the sidecar has stopped. */
  start(): Promise<void>;
  /**
   * Checks new and changed services once before they replace the old ones. Running actions finish
   * with the old configuration. Reloads run one at a time. Changes nothing and rejects after
   * `stop`, and with AgentError OPTIONS_INVALID for an invalid configuration.
   */
  reload(config: SidecarConfig): Promise<Reloaded>;
  /** Gives actions `stopGrace` to finish, then ends every program. Never rejects. */
  stop(): Promise<void>;
}

/** Starts nothing. Throws AgentError OPTIONS_INVALID. */
export async function createSidecar(options: SidecarOptions): Promise<Sidecar> {
  const { origin, version, registrationToken, onEvent } = options;
  const own = await agentOptionsOf(options.config, origin, version);
  const agent = createAgent({ ...own, registrationToken, onEvent });
  const ender = new AbortController();
  // Before the start, `reportNow` fails, but the first report then includes the change.
  const onChange = () => void agent.reportNow().catch(() => undefined);
  // A reload may have replaced the service while the action ran, or may be doing so.
  const onExecuted = (serviceCode: string) => {
    for (const service of [...running, ...coming]) {
      if (service.config.code === serviceCode) service.actionEnded();
    }
  };
  const isOwn = (source: unknown) => config.services.some(({ code }) => code === source);
  const emit = createEmit(onEvent);
  const serviceCount = () => running.length + coming.length;
  const { stateDir } = own;
  const around = { agent, origin, stateDir, emit, onChange, onExecuted, serviceCount, isOwn };
  const runningOf = (services: ServiceConfig[]) =>
    services.map((service) => new RunningService(service, around));
  let config = options.config;
  let running = runningOf(config.services);
  /** The services that a reload probes before it reports them. */
  let coming: RunningService[] = [];
  for (const service of running) service.report();
  let isStarted = false;
  let reloading: Promise<unknown> = Promise.resolve();
  let stopping: Promise<void> | null = null;

  async function start(): Promise<void> {
    try {
      await firstResults(running);
      await agent.start();
    } catch (error) {
      await stop();
      throw error;
    }
    isStarted = true;
    forward();
  }

  async function firstResults(services: RunningService[]): Promise<void> {
    const results = Promise.all(services.map((service) => service.watch()));
    await Promise.race([results, pause(firstResultsMs, ender.signal)]);
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

  /** Every step that can fail comes before the first change. */
  async function apply(next: SidecarConfig): Promise<Reloaded> {
    ender.signal.throwIfAborted();
    const options = await agentOptionsOf(next, origin, version);
    const change = changeOf(config, { config: next, options }, own);
    const { added, removed, changed } = change;
    const isNew = ({ code }: ServiceConfig) => added.includes(code) || changed.includes(code);
    const isOld = ({ code }: ServiceConfig) => removed.includes(code) || changed.includes(code);
    coming = runningOf(next.services.filter(isNew));
    const { code: _code, ...description } = options.agent;
    // Clears fields that the file no longer has.
    agent.describe({ name: null, labels: {}, ...description });
    // The old services are still reported, so that operators normally do not see UNKNOWN.
    await firstResults(coming);
    const going = running.filter((service) => isOld(service.config));
    for (const service of going) service.withdraw();
    for (const service of coming) service.report();
    running = [...running.filter((service) => !going.includes(service)), ...coming];
    coming = [];
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
    ender.abort(new Error("the agent is stopping"));
    for (const service of running) service.stopForwarding();
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
