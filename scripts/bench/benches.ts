// A target is a fraction of the throughput that bare node:http reaches with the same requests in
// the same run.

import {
  type Agent,
  commandId,
  executionPath,
  executionRequest,
  serviceReport,
} from "./fixtures.ts";
import type { FloorKind } from "./floor-process.ts";
import type { RequestSpec } from "./requests.ts";

export interface Bench {
  name: string;
  work: string;
  target: number;
  /** Each request needs a different command. `request` makes the request for command 0. */
  usesUpCommands?: true;
  /** Durable requests are also compared with writing their rows by hand. */
  floor?: FloorTarget;
  request(agent: Agent, operatorKey: string): RequestSpec;
}

export interface FloorTarget {
  kind: FloorKind;
  /** The fraction of the server's CPU time that bare node:http and the rows need together. */
  target: number;
}

export const benches: Bench[] = [
  {
    name: "heartbeat",
    work: "heartbeat",
    target: 0.7,
    request: ({ token }) => ({
      method: "POST",
      path: "/api/agents/heartbeat",
      token,
      body: { timestamp: new Date().toISOString() },
    }),
  },
  {
    name: "poll",
    work: "empty poll (wait=0)",
    target: 0.7,
    request: ({ token }) => ({ method: "GET", path: "/api/agents/commands?wait=0", token }),
  },
  {
    name: "report",
    work: "unchanged service report",
    target: 0.5,
    request: ({ token, serviceCode }) => ({
      method: "POST",
      path: "/api/agents/services",
      token,
      body: serviceReport(serviceCode),
    }),
  },
  {
    name: "result",
    work: "command result, durable",
    target: 0.4,
    usesUpCommands: true,
    floor: { kind: "result", target: 0.85 },
    request: ({ token }) => ({
      method: "POST",
      path: `/api/agents/commands/${commandId(0)}/result`,
      token,
      body: { success: true, output: { cleared: true, entries: 1204, message: "pages: empty" } },
    }),
  },
  // Must be last, because its commands stay pending.
  {
    name: "create",
    work: "create a command, durable",
    target: 0.25,
    floor: { kind: "create", target: 0.75 },
    request: ({ serviceId }, operatorKey) => ({
      method: "POST",
      path: executionPath(serviceId),
      token: operatorKey,
      body: executionRequest,
    }),
  },
];
