// An agent that always holds a poll, on one connection, and reports results on another.

import { Connection, type Reply } from "./connection.ts";
import { heldSeconds, pollPath } from "./fixtures.ts";
import { encodeRequest } from "./requests.ts";

const result = { success: true, output: { cleared: true, entries: 1204 } };

export class PollingAgent {
  readonly #port: number;
  readonly #token: string;
  readonly #polls: Connection;
  readonly #results: Connection;

  /** Agents can share `buffer`. */
  static async open(port: number, token: string, buffer: Buffer): Promise<PollingAgent> {
    const open = () => Connection.open(port, buffer);
    return new PollingAgent(port, token, await open(), await open());
  }

  private constructor(port: number, token: string, polls: Connection, results: Connection) {
    this.#port = port;
    this.#token = token;
    this.#polls = polls;
    this.#results = results;
  }

  /**
   * Passes on each command with the time at which it came, and waits for `onCommand` before the
   * next one. Rejects when a connection ends.
   */
  async poll(onCommand: (id: string, at: number) => unknown): Promise<never> {
    const path = pollPath(heldSeconds);
    const request = encodeRequest(this.#port, { method: "GET", path, token: this.#token });
    for (;;) {
      const { body, at } = successful(await this.#polls.ask(request));
      for (const { id } of JSON.parse(body).data.commands) await onCommand(id, at);
    }
  }

  /** Reports one result at a time. Returns the time of the response. */
  async report(commandId: string): Promise<number> {
    const path = `/api/agents/commands/${commandId}/result`;
    const request = { method: "POST", path, token: this.#token, body: result } as const;
    return successful(await this.#results.ask(encodeRequest(this.#port, request))).at;
  }

  close(): void {
    this.#polls.destroy();
    this.#results.destroy();
  }
}

export function successful(reply: Reply): Reply {
  if (reply.status >= 200 && reply.status < 300) return reply;
  throw new Error(`The server responded with status ${reply.status}:\n${reply.body}`);
}
