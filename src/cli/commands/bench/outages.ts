// Measures how long it takes until all agents are connected again, for example after a restart.

export interface Outage {
  /** The time since the start of the measurement. */
  atSeconds: number;
  /** Null if some agents were still missing at the end. */
  allBackAfterSeconds: number | null;
  /** The lowest number of connected agents. */
  fewest: number;
}

export class Outages {
  readonly #agents: number;
  readonly #outages: Outage[] = [];
  #current: Outage | null = null;

  constructor(agents: number) {
    this.#agents = agents;
  }

  get list(): readonly Outage[] {
    return this.#outages;
  }

  observe(atSeconds: number, held: number): void {
    const current = this.#current;
    if (current) {
      current.fewest = Math.min(current.fewest, held);
      if (held < this.#agents) return;
      current.allBackAfterSeconds = Number((atSeconds - current.atSeconds).toFixed(1));
      this.#current = null;
    } else if (held < this.#agents) {
      this.#current = {
        atSeconds: Number(atSeconds.toFixed(1)),
        allBackAfterSeconds: null,
        fewest: held,
      };
      this.#outages.push(this.#current);
    }
  }
}
