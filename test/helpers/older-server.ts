// Runs the server of commit 275cb5d (test/fixtures/wire-275cb5d) in its own process.

import { copyFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gunzipSync } from "node:zlib";
import { onTestFinished } from "vitest";
import { type Client, createClient } from "../../src/client/client.ts";
import { httpTransport } from "../../src/client/transport-http.ts";
import { temporaryFolder } from "./app.ts";
import { makePasswordsCheap } from "./cheap-passwords.ts";
import { send, startCommand, until } from "./process/process.ts";

const root = join(import.meta.dirname, "../..");
const migrations = ["init", "command-outcomes", "bus-event-lookups", "bus-trail", "overview"].map(
  (topic, index) => `migrations/sqlite/000${index + 1}-${topic}.sql`,
);

const olderWire = join(root, "test/fixtures/wire-275cb5d");

/** Unpacks a file of the older program into a folder of its own, and returns its path. */
export function unpackOlder(name: "agent.js" | "server.js"): string {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "package.json"), '{ "name": "platform", "type": "module" }');
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"), "junction");
  const file = join(folder, name);
  writeFileSync(file, gunzipSync(readFileSync(join(olderWire, `${name}.gz`))));
  return file;
}

export interface OlderServer {
  url: string;
  /** The owner `admin`, signed in. */
  operator: Client;
  /** An API key with the owner role. */
  key: string;
}

/** Starts the server, which runs until the test ends. */
export async function startOlderServer(): Promise<OlderServer> {
  const server = unpackOlder("server.js");
  const folder = dirname(server);
  mkdirSync(join(folder, "migrations/sqlite"), { recursive: true });
  for (const file of migrations) copyFileSync(join(root, file), join(folder, file));
  makePasswordsCheap([server]);
  const password = "an owner of long ago";
  const words = [process.execPath, server, join(folder, "data"), password];
  const program = startCommand(words);
  const url = await until("the older server listens", () => program.stdout().split("\n")[0]);
  const owner = { username: "admin", password };
  const signedIn = await send(url, "POST", "/api/admin/auth/login", { body: owner });
  const cookie = signedIn.headers.getSetCookie()[0]?.split(";")[0] ?? "";
  const session = { cookie, csrfToken: signedIn.body.data.csrfToken };
  const operator = createClient(httpTransport({ url, session, userAgent: "test" }));
  onTestFinished(() => operator.close());
  const body = { name: "test", role: "owner" } as const;
  const { key } = await operator.call("api-keys.create", { body });
  return { url, operator, key };
}
