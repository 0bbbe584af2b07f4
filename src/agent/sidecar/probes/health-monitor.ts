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
 * show that it is DOWN.
 */
export class HealthMonitor extends Repeated {
  readonly #options: HealthMonitorOptions;
  readonly #details;
  #status: HealthStatus = "UNKNOWN";
  #message = "not probed yet";
  /** Consecutive results that contradict the status. */
  #against = 0;
  #isInDoubt = false;

  constructor(options: HealthMonitorOptions) {
    super(options.config.intervalMs);
    this.#options = options;
    this.#details = describeProbe(options.config);
  }

  current() {
    return { status: this.#status, message: this.#message, details: this.#details };
  }

  /** Results from before the end of an action say nothing about the service after it. */
  actionEnded(): void {
    if (this.#status === "UP") {
      this.#status = "UNKNOWN";
      this.#message = "not probed since an action";
      this.#against = 0;
      this.#isInDoubt = true;
    }
    this.again();
  }

  protected override async work(signal: AbortSignal): Promise<void> {
    const {
      config,
      origin,
      probe: ask = () => probe(config, { ...origin, signal }),
    } = this.#options;
    const result = await ask(signal).catch((error: unknown) => {
      return { ok: false, message: messageOf(error) };
    });
    if (!signal.aborted) this.#take(result);
  }

  #take({ ok, message }: ProbeResult): void {
    const status = ok ? "UP" : "DOWN";
    const { failureThreshold, successThreshold } = this.#options.config;
    const threshold = ok ? successThreshold : failureThreshold;
    const isDecisive = this.#status === "UNKNOWN" && (ok || !this.#isInDoubt);
    this.#against = status === this.#status ? 0 : this.#against + 1;
    if (this.#against === 0) {
      this.#message = message;
    } else if (!isDecisive && this.#against < threshold) {
      const what = ok ? "successes" : "failures";
      this.#message = `${this.#against} of ${threshold} ${what}: ${message}`;
    } else {
      const before = this.#status;
      this.#status = status;
      this.#message = message;
      this.#against = 0;
      this.#isInDoubt = false;
      this.#options.onChange(before, this.current());
    }
  }
}
