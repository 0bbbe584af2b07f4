import { messageOf } from "../../connection/errors.ts";
import type { HealthConfig } from "../config/config.ts";
import type { ConfigOrigin } from "../config/config-origin.ts";
import { describeProbe, type ProbeResult, probe } from "./probes.ts";
import { Repeated } from "./repeated.ts";

type HealthStatus = "UP" | "DOWN" | "UNKNOWN";
type MonitoredHealth = ReturnType<HealthMonitor["current"]>;

export interface HealthMonitorOptions {
  config: HealthConfig;
  origin: ConfigOrigin;
  /** Called after the status has changed. It must not throw. */
  onChange: (before: HealthStatus, now: MonitoredHealth) => void;
  /** Replaces the configured probe in tests. */
  probe?: (signal: AbortSignal) => Promise<ProbeResult>;
}

/**
 * The first result sets the status. After that, `failureThreshold` consecutive failures change it
 * to DOWN, and `successThreshold` consecutive successes change it to UP. After an action, a service
 * that was UP is UNKNOWN until a success shows that it still is, or until `failureThreshold` failures
 * show that it is DOWN. A probe that runs when the action ends does not count. The probes after it
 * count even if further actions end, so that frequent actions hide no outage.
 */
export class HealthMonitor extends Repeated {
  readonly #options: HealthMonitorOptions;
  readonly #details;
  #status: HealthStatus = "UNKNOWN";
  #message = "not probed yet";
  /** Consecutive results that contradict the status. */
  #against = 0;
  /** Whether an action has ended since the last result that set or confirmed the status. */
  #isInDoubt = false;

  constructor(options: HealthMonitorOptions) {
    super(options.config.intervalMs);
    this.#options = options;
    this.#details = describeProbe(options.config);
  }

  current() {
    const status = this.#isInDoubt && this.#status === "UP" ? "UNKNOWN" : this.#status;
    return { status, message: this.#message, details: this.#details };
  }

  /** Results from before the end of an action say nothing about the service after it. */
  actionEnded(): void {
    if (this.current().status === "UP") {
      this.#message = "not probed since an action";
      this.#against = 0;
    }
    this.#isInDoubt = true;
    this.again();
  }

  protected override async work(signal: AbortSignal): Promise<void> {
    const {
      config,
      origin,
      probe: ask = () => probe(config, { ...origin, signal }),
    } = this.#options;
    const wasInDoubt = this.#isInDoubt;
    const result = await ask(signal).catch((error: unknown) => {
      return { ok: false, message: messageOf(error) };
    });
    if (!signal.aborted && this.#isInDoubt === wasInDoubt) this.#take(result);
  }

  #take({ ok, message }: ProbeResult): void {
    const { failureThreshold, successThreshold } = this.#options.config;
    const threshold = ok ? successThreshold : failureThreshold;
    const status = ok ? "UP" : "DOWN";
    const before = this.#status;
    const { status: shown } = this.current();
    this.#against = status === before ? 0 : this.#against + 1;
    if (this.#against > 0 && this.#against < threshold && before !== "UNKNOWN") {
      const what = ok ? "successes" : "failures";
      this.#message = `${this.#against} of ${threshold} ${what}: ${message}`;
      return;
    }
    this.#status = status;
    this.#message = message;
    this.#against = 0;
    this.#isInDoubt = false;
    if (status !== shown) this.#options.onChange(before, this.current());
  }
}
