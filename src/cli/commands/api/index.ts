// `platformctl api`: any call, also those without a command.

import type { CommandSpec } from "../../command.ts";
import { requestId } from "../../options.ts";

export const api: CommandSpec[] = [
  {
    name: "api",
    summary: "Make any call of the API and print the response",
    args: [
      { name: "<method>", summary: "GET, HEAD, POST, PUT, PATCH or DELETE" },
      { name: "<path>", summary: "/api/…, or the part after /api/admin/" },
    ],
    options: [
      { flags: "-d, --data <json>", summary: "the body: JSON, @file, or - for stdin" },
      { flags: "--query <name=value>", summary: "added to the path; repeatable", kind: "repeat" },
      { flags: "-i, --include", summary: "print status and headers too" },
      { flags: "--raw", summary: "print the body unchanged, not indented" },
      { ...requestId, summary: "sent with a POST as its Idempotency-Key" },
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
