// `platformctl tokens …`

import type { Routes } from "../../api/index.ts";
import type { ReplyData } from "../../api/route.ts";
import { parseDurationSeconds } from "../../lib/duration.ts";
import type { Invocation } from "../command.ts";
import { usageError } from "../exit.ts";
import { isForPeople, type OutputOptions, printOne, type View } from "../output.ts";

type Created = ReplyData<Routes["registration-tokens.create"]>;

const createdView: View<Created> = {
  columns: [
    { name: "token", value: (token) => token.token, kind: "key" },
    { name: "id", value: (token) => token.id, kind: "key" },
    { name: "name", value: (token) => token.name },
    { name: "expires", value: (token) => token.expiresAt ?? "never", kind: "time" },
  ],
  nameOf: (token) => token.id,
};

export async function createToken({ io, options, client }: Invocation): Promise<void> {
  const { name, expires } = options as { name?: string; expires?: string };
  const created = await (await client()).call("registration-tokens.create", {
    body: {
      ...(name === undefined ? {} : { name }),
      ...(expires === undefined ? {} : { expiresInSeconds: secondsOf(expires) }),
    },
  });
  printOne(io, options as OutputOptions, created, createdView);
  if (isForPeople(options as OutputOptions)) {
    io.note("\nKeep it now: it is shown this once, and registers one agent.\n");
  }
}

function secondsOf(expires: string): number {
  if (expires === "never") return 0;
  const seconds = parseDurationSeconds(expires);
  if (seconds === null || seconds === 0) {
    throw usageError(`--expires must be a duration such as 24h, or never, not ${expires}.`);
  }
  return seconds;
}
