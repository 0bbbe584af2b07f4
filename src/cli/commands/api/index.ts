import type { CommandSpec } from "../../command.ts";
import { requestId } from "../../options.ts";

export const api: CommandSpec[] = [
  {
    name: "api",
    summary: "Call any API route and print the response",
    args: [
      { name: "<method>", summary: "GET, HEAD, POST, PUT, PATCH or DELETE" },
      { name: "<path>", summary: "/api/…, or the part after /api/admin/" },
    ],
    options: [
      { flags: "-d, --data <json>", summary: "the body: JSON, @file, or - for stdin" },
      { flags: "--query <name=value>", summary: "a query parameter; repeatable", kind: "repeat" },
      { flags: "-i, --include", summary: "also print the status and the headers" },
      { flags: "--raw", summary: "print the body unchanged, without indentation" },
      { ...requestId, summary: "the Idempotency-Key of a POST" },
    ],
    target: true,
    examples: [
      "api GET agents --query status=ONLINE",
      `api PATCH settings --data '{"workspaceName":"Plant 7"}'`,
      "api GET audit-events/export --query format=csv > audit.csv",
    ],
    run: async () => (await import("./call.ts")).callApi,
  },
];
