// `platformctl tokens create`

import { cells } from "../../../api/contract/cells.ts";
import type { Reply } from "../../../api/index.ts";
import type { Invocation } from "../../command.ts";
import { expiryOf } from "../../expiry.ts";
import { isForPeople, type OutputOptions, printOne, type View } from "../../output/output.ts";

type Created = Reply<"registration-tokens.create">;

const createdView: View<Created> = {
  columns: [
    { name: "token", value: (token) => token.token, kind: "key" },
    { name: "id", value: (token) => token.id, kind: "key" },
    { name: "name", value: (token) => token.name },
    { name: "for", value: cells.tokenScope },
    { name: "expires", value: (token) => token.expiresAt ?? "never", kind: "time" },
  ],
  nameOf: (token) => token.id,
};

export async function createToken({ io, options, client }: Invocation): Promise<void> {
  const { name, expires, agent, replace } = options as {
    name?: string;
    expires?: string;
    agent?: string;
    replace?: boolean;
  };
  const body = {
    ...(name === undefined ? {} : { name }),
    ...(agent === undefined ? {} : { agentCode: agent }),
    ...(replace === undefined ? {} : { replace }),
    ...expiryOf(expires),
  };
  const created = await (await client()).call("registration-tokens.create", { body });
  printOne(io, options as OutputOptions, created, createdView);
  if (isForPeople(options as OutputOptions)) {
    io.note("\nKeep it now: it is shown this once, and registers one agent.\n");
  }
}
