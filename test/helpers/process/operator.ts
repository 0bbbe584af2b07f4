// Works on the database file of a test's server from this process, as `--db` does.

import type { App } from "../../../src/app.ts";
import { connect } from "../../../src/cli/connecting/connect.ts";
import { type Client, createClient } from "../../../src/client/client.ts";
import { localTransport } from "../../../src/client/transport-local.ts";
import type { Role } from "../../../src/domain/access/principals.ts";
import { atEnd } from "../lifetime.ts";

interface HasFile {
  file: string;
  /** The service, if it runs in this process. */
  app?: App;
}

/** Opens a client on the file until the test ends. */
export async function operatorOf(server: HasFile): Promise<Client> {
  const client = await open(server);
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
async function call<T>(server: HasFile, work: (client: Client) => Promise<T>): Promise<T> {
  const client = await open(server);
  return work(client).finally(() => client.close());
}

async function open({ file: db, app }: HasFile): Promise<Client> {
  if (app) {
    const door = app.localDoor({ kind: "local", osUser: "the test" });
    return createClient(localTransport(db, door, async () => undefined));
  }
  return connect({ env: {}, now: () => Date.now() } as Parameters<typeof connect>[0], { db });
}
