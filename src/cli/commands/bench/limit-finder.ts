// Remembers what failed or reached its limit first during a run, such as the server or the load
// generator itself.

export interface Moment {
  atSeconds: number;
  /** Null if the server did not respond. */
  serverCpuShare: number | null;
  /** The share of time that the busiest load process was busy, 0 to 1. */
  generatorBusy: number;
  /** How often each kind of error has occurred so far. */
  errors: Readonly<Record<string, number>>;
  /** How many actions and events the operator has started. */
  works: number;
}

export interface FoundLimit {
  /** `rate`: actions or events fell short of the wanted rate, for whatever reason. */
  what: "server" | "generator" | "connection" | "rate" | "nothing";
  detail: string;
  atSeconds: number | null;
}

/** Above this share, requests wait for the event loop. */
const busyLimit = 0.9;
/** A few actions are skipped whenever the host is busy for a moment. */
const skippedPart = 0.02;
/** A short peak is not a limit. */
const momentsInARow = 3;

export class LimitFinder {
  #first: FoundLimit | null = null;
  #busyServer = 0;
  #busyGenerator = 0;

  observe({ atSeconds, errors, generatorBusy, serverCpuShare, works }: Moment): void {
    if (this.#first) return;
    this.#busyServer = (serverCpuShare ?? 0) >= busyLimit ? this.#busyServer + 1 : 0;
    this.#busyGenerator = generatorBusy >= busyLimit ? this.#busyGenerator + 1 : 0;
    const kind = Object.keys(errors).find(
      (each) => !each.endsWith("_SKIPPED") || (errors[each] ?? 0) > works * skippedPart,
    );
    if (this.#busyGenerator >= momentsInARow) {
      const detail =
        "the CPU of a load process: its latencies are too high; use more --processes or another host";
      this.#first = { what: "generator", detail, atSeconds };
    } else if (this.#busyServer >= momentsInARow) {
      const detail = "the server's event loop, which used almost a whole core";
      this.#first = { what: "server", detail, atSeconds };
    } else if (kind !== undefined) this.#first = { ...culpritOf(kind), atSeconds };
  }

  get result(): FoundLimit {
    const detail = "nothing gave out at this load";
    return this.#first ?? { what: "nothing", detail, atSeconds: null };
  }
}

function culpritOf(kind: string): Pick<FoundLimit, "what" | "detail"> {
  const known = culprits[kind];
  if (known) return known;
  if (/^(E[A-Z]+|UND_ERR_\w+|UNREACHABLE|Unreachable)$/.test(kind)) {
    const detail = `the connection to the server (${kind}): it restarted, or could not be reached`;
    return { what: "connection", detail };
  }
  return { what: "server", detail: `the server refused calls (${kind})` };
}

const culprits: Record<string, Pick<FoundLimit, "what" | "detail">> = {
  RATE_LIMITED: {
    what: "server",
    detail:
      "the limit on requests per credential (PLATFORM_MAX_REQUESTS_PER_SECOND) or on failed registrations",
  },
  BUS_RATE_LIMITED: {
    what: "server",
    detail: "the limit on events of each agent (PLATFORM_CAPSULE_BUS_INGEST_PER_MIN)",
  },
  UNAVAILABLE: {
    what: "server",
    detail: "the server refused calls as UNAVAILABLE: a limit on clients, or its storage",
  },
  EMFILE: {
    what: "generator",
    detail: "the limit on the open files of a load process (ulimit -n)",
  },
  ENFILE: { what: "generator", detail: "the limit on the open files of this host" },
  EADDRNOTAVAIL: {
    what: "generator",
    detail: "the number of ports of this host (net.ipv4.ip_local_port_range)",
  },
  ACTION_SKIPPED: {
    what: "rate",
    detail: "the rate of actions: earlier ones were still open when the next fell due",
  },
  EVENT_SKIPPED: {
    what: "rate",
    detail: "the rate of events: no agent was connected to publish one",
  },
};
