// Works on the database file of a test's server from this process, as `--db` does.

import { connect } from "../../../src/cli/connecting/connect.ts";
import type { Client } from "../../../src/client/client.ts";
import type { Role } from "../../../src/domain/principals.ts";
import { atEnd } from "../lifetime.ts";

interface HasFile {
  file: string;
}

/** Opens a client on the file until the test ends. */
export async function operatorOf({ file }: HasFile): Promise<Client> {
  const client = await open(file);
  atEnd(() => client.close());
  return client;
}

export async function createKey(server: HasFile, role: Role = "owner"): Promise<string> {
  const body = { name: "test", role };
  return (await call(server, (client) => client.call("api-keys.create", { body }))).key;
}

export async function createToken(server: HasFile): Promise<string> {
  const body = {};
  return (await call(server, (client) => client.call("registration-tokens.create", { body })))
    .token;
}

/** Closes the file afterwards, so that a test can remove it. */
async function call<T>({ file }: HasFile, work: (client: Client) => Promise<T>): Promise<T> {
  const client = await open(file);
  return work(client).finally(() => client.close());
}

function open(db: string): Promise<Client> {
  return connect({ env: {}, now: () => Date.now() } as Parameters<typeof connect>[0], { db });
}
