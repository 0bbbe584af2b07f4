import type { CommandSpec } from "../../command.ts";
import { option, requestId } from "../../options.ts";

export const api = (): CommandSpec[] => [
  {
    name: "api",
    summary: "Call any API route and print the response",
    args: [
      { name: "<method>", summary: "GET, HEAD, POST, PUT, PATCH or DELETE" },
      { name: "<path>", summary: "/api/…, or the part after /api/admin/" },
    ],
    options: [
      option("-d, --data <json>", "the body: JSON, @file, or - for stdin"),
      option("--query <name=value>", "a query parameter; repeatable", { kind: "repeat" }),
      option("-i, --include", "also print the status and the headers"),
      option("--raw", "print the body unchanged, without indentation"),
      { ...requestId, summary: "the Idempotency-Key of a POST" },
    ],
    destination: true,
    examples: [
      "api GET agents --query status=ONLINE",
      `api PATCH settings --data '{"workspaceName":"Plant 7"}'`,
      "api GET audit-events/export --query format=csv > audit.csv",
    ],
    run: async () => (await import("./call.ts")).callApi,
  },
];
