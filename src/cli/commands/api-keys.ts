// `platformctl api-keys …`

import type { Routes } from "../../api/index.ts";
import type { ReplyData } from "../../api/route.ts";
import type { Role } from "../../domain/principals.ts";
import type { Invocation } from "../command.ts";
import { isForPeople, type OutputOptions, printOne, type View } from "../output.ts";

type Created = ReplyData<Routes["api-keys.create"]>;

const createdView: View<Created> = {
  columns: [
    { name: "key", value: (key) => key.key, kind: "key" },
    { name: "id", value: (key) => key.id, kind: "key" },
    { name: "name", value: (key) => key.name },
    { name: "role", value: (key) => key.role },
    { name: "expires", value: (key) => key.expiresAt ?? "never", kind: "time" },
  ],
  nameOf: (key) => key.id,
};

export async function createApiKey({ io, options, client }: Invocation): Promise<void> {
  const { name, role, expires } = options as { name: string; role: Role; expires?: number };
  const created = await (await client()).call("api-keys.create", {
    body: { name, role, ...(expires === undefined ? {} : { expiresInSeconds: expires }) },
  });
  printOne(io, options as OutputOptions, created, createdView);
  if (isForPeople(options as OutputOptions)) {
    io.note("\nKeep it now: it is shown this once. Scripts take it from PLATFORM_API_KEY.\n");
  }
}
