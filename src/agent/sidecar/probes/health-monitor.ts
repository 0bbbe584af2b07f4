// The health of one service: its probe again and again, and the state that its results add up to.

import { messageOf } from "../../connection/errors.ts";
import type { Health } from "../../services/services.ts";
import type { HealthConfig } from "../config/config.ts";
import type { Place } from "../place.ts";
import { describeProbe, type ProbeResult, probe } from "./probes.ts";
import { Repeated } from "./repeated.ts";

export type HealthStatus = "UP" | "DOWN" | "UNKNOWN";
export type MonitoredHealth = Extract<Health, object> & { status: HealthStatus };

export interface HealthMonitorOptions {
  config: HealthConfig;
  place: Place;
  /** Called when the status has changed; must not throw. */
  onChange?: () => void;
  /** In place of the configured one, for tests. */
  probe?: (signal: AbortSignal) => Promise<ProbeResult>;
}

/**
 * The first result decides at once; after that it takes `failureThreshold` failures in a row to be DOWN
 * and `successThreshold` successes in a row to be UP again.
 */
export class HealthMonitor {
  readonly #config: HealthConfig;
  readonly #probe: (signal: AbortSignal) => Promise<ProbeResult>;
  readonly #onChange: () => void;
  readonly #probing: Repeated;
  readonly #details;
  #status: HealthStatus = "UNKNOWN";
  #message = "not probed yet";
  /** Results in a row that speak against the status. */
  #against = 0;

  constructor({ config, place, onChange, probe: ask }: HealthMonitorOptions) {
    this.#config = config;
    this.#probe = ask ?? ((signal) => probe(config, place, signal));
    this.#onChange = onChange ?? (() => undefined);
    this.#probing = new Repeated(config.intervalMs, (signal) => this.#probeOnce(signal));
    this.#details = describeProbe(config);
  }

  /** Probes at once, and at the interval from then on; never twice at the same time. */
  start(): void {
    this.#probing.start();
  }

  current(): MonitoredHealth {
    return { status: this.#status, message: this.#message, details: this.#details };
  }

  /** Resolves after the first result, which comes within the probe's time-out; and on `stop`. */
  get first(): Promise<void> {
    return this.#probing.first;
  }

  /** Ends a running probe at once. The health stays as it was last. */
  stop(): Promise<void> {
    return this.#probing.stop();
  }

  async #probeOnce(signal: AbortSignal): Promise<void> {
    const result = await this.#probe(signal).catch((error: unknown) => {
      return { ok: false, message: messageOf(error) };
    });
    if (!signal.aborted) this.#take(result);
  }

  #take({ ok, message }: Pick<ProbeResult, "ok" | "message">): void {
    const status = ok ? "UP" : "DOWN";
    const { failureThreshold, successThreshold } = this.#config;
    const threshold = ok ? successThreshold : failureThreshold;
    this.#against = status === this.#status ? 0 : this.#against + 1;
    if (this.#against === 0) {
      this.#message = message;
    } else if (this.#status !== "UNKNOWN" && this.#against < threshold) {
      const what = ok ? "successes" : "failures";
      this.#message = `${this.#against} of ${threshold} ${what}: ${message}`;
    } else {
      this.#status = status;
      this.#message = message;
      this.#against = 0;
      this.#onChange();
    }
  }
}
