import type { Json } from "../domain/payload/json.ts";
import type { TokenStore } from "./connection/token-store.ts";
import type { AgentEvent } from "./events/events.ts";

/** The agent as operators see it. */
export interface AgentDescription {
  /** Unique in the workspace, and the same after every restart. */
  code: string;
  /** `embedded` for an agent inside the program that it manages, otherwise `sidecar`. */
  mode: string;
  name?: string | undefined;
  /** The version of the program that embeds the agent. */
  version?: string | undefined;
  labels?: Record<string, string> | undefined;
  /** What the agent runs on. Default: Node's version and the platform. */
  runtime?: Json | undefined;
}

export interface AgentOptions {
  /** The URL of the server: `https://agents.example.com`. */
  server: string;
  /** PEM certificates, if the server's certificate is from a private CA. Only these are trusted. */
  ca?: string | undefined;
  /**
   * `http://user:password@proxy.example.com:3128`. Default: HTTPS_PROXY, HTTP_PROXY and NO_PROXY of
   * `env`, which never apply to a server on this host.
   */
  proxy?: string | undefined;
  /** The environment with the proxy variables. Default: `process.env`. */
  env?: Readonly<Record<string, string | undefined>> | undefined;
  /**
   * DANGEROUS: accepts any certificate, and sends the agent's token to any server that presents
   * one. Emits a warning (event `insecure`) at each start and each reconnection. Set `ca` instead.
   */
  insecureSkipTlsVerify?: boolean | undefined;
  agent: AgentDescription;
  /**
   * A single-use token, required while `stateDir` contains no agent token. A function is called
   * each time a token is needed, so that an agent can register again after its token was revoked.
   */
  registrationToken?: string | (() => string | Promise<string>) | undefined;
  /**
   * A folder for this agent alone. The agent creates it with mode 0700. It contains `journal.jsonl`
   * and, unless there is a `tokenStore`, `token.json`, both with mode 0600. Without these files,
   * the agent must register again and does not know which commands it has run.
   */
  stateDir: string;
  /** Stores the agent's token somewhere else, for example in a secret store. */
  tokenStore?: TokenStore | undefined;
  /**
   * How many handlers can run at the same time, 1 to 64; default 4. Executions of one service do
   * not overlap.
   */
  concurrency?: number | undefined;
  /**
   * Whether each report lists all services that the agent manages. If true, the server marks the
   * agent's other services as removed, and they no longer need attention. Default: false; other
   * services become STALE, so that operators notice one that is missing by mistake.
   */
  completeReports?: boolean | undefined;
  onEvent?: ((event: AgentEvent) => void) | undefined;
  timing?: Timing | undefined;
}

/**
 * Times in seconds, at most a day. The server sets the first three; set them here only to override
 * the server.
 */
export interface Timing {
  heartbeatSeconds?: number;
  reportSeconds?: number;
  /** The maximum wait of a long poll; 1 to 60. */
  pollWaitSeconds?: number;
  /** The delay between retries while the server refuses the agent; default 30. */
  refusedRetrySeconds?: number;
  /** Bounds of the delay between retries while the server is unreachable; default 0.5 and 30. */
  backoffMinSeconds?: number;
  backoffMaxSeconds?: number;
  /** How long `stop` tries to send results; default 5. The next start sends the rest. */
  flushSeconds?: number;
}
