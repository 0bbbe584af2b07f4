// What `createAgent` takes. (settings.ts checks it.)

import type { Json } from "../domain/payload/json.ts";
import type { TokenStore } from "./connection/token-store.ts";
import type { AgentEvent } from "./events/events.ts";

/** Who the agent is, for operators. */
export interface AgentDescription {
  /** Unique in the workspace, and the same after a restart. */
  code: string;
  /** How it runs, in lower case: `embedded` in the program that it manages, `sidecar` beside it. */
  mode: string;
  name?: string | undefined;
  /** Of the program that embeds the agent. */
  version?: string | undefined;
  labels?: Record<string, string> | undefined;
  /** What it runs on; by default Node's version and the platform. */
  runtime?: Json | undefined;
}

export interface AgentOptions {
  /** Where the service is: `https://agents.example.com`. */
  server: string;
  /** Certificates in PEM, when the server's is from a CA of your own; only they are trusted then. */
  ca?: string | undefined;
  /**
   * `http://user:password@proxy.example.com:3128`. When it is left out, HTTPS_PROXY, HTTP_PROXY and
   * NO_PROXY of `env` count; a server on this host is then never behind a proxy.
   */
  proxy?: string | undefined;
  /** Where those variables are; default `process.env`. */
  env?: Readonly<Record<string, string | undefined>> | undefined;
  /**
   * DANGEROUS: takes any server, whatever certificate it shows, and hands it the agent's token. Each
   * start and each reconnection warns of it (event `insecure`). Give `ca` instead.
   */
  insecureSkipTlsVerify?: boolean | undefined;
  agent: AgentDescription;
  /**
   * Single-use; needed while `stateDir` holds no token. A function is asked each time one is needed,
   * also when the agent token was revoked: it lets an agent come back by itself.
   */
  registrationToken?: string | (() => string | Promise<string>) | undefined;
  /**
   * A folder of this agent's own: it holds `journal.jsonl` and, unless there is a `tokenStore`,
   * `token.json`; both of mode 0600. Made with mode 0700 when it is not there. Without what it holds
   * the agent is a new one to the server, and does not know which commands it has run.
   */
  stateDir: string;
  /** Keeps the agent's token in place of the file: in a secret store, for example. */
  tokenStore?: TokenStore | undefined;
  /**
   * How many handlers run at once, 1 to 64; default 4. Executions of one service always run one after
   * the other, in the order of their delivery.
   */
  concurrency?: number | undefined;
  onEvent?: ((event: AgentEvent) => void) | undefined;
  timing?: Timing | undefined;
}

/** In seconds. The first three are the server's to say; set them only to have them differ. */
export interface Timing {
  heartbeatSeconds?: number;
  reportSeconds?: number;
  /** How long a poll is held open; 1 to 60. */
  pollWaitSeconds?: number;
  /** Between tries while the server turns the agent away; default 30. */
  refusedRetrySeconds?: number;
  /** Bounds of the waits between tries while the server is away; default 0.5 and 30. */
  backoffMinSeconds?: number;
  backoffMaxSeconds?: number;
  /** How long `stop` tries to send the last results; default 5. The rest goes at the next start. */
  flushSeconds?: number;
}
