// Helpers for tests that sign in: a server with users, and home folders.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Contexts } from "../../../src/cli/connecting/contexts.ts";
import { createHttpServer } from "../../../src/http/server.ts";
import { temporaryFolder } from "../../helpers/app.ts";
import { type ListeningApp, listenTestApp } from "../../helpers/http/http.ts";
import { certificatePair } from "../../helpers/http/https.ts";
import { listen, serveHttp } from "../../helpers/http/listen.ts";
import { cli, type Ran } from "../world.ts";

export const password = "a sentence of many characters";

type RunOptions = NonNullable<Parameters<typeof cli>[1]>;

export type Home = ReturnType<typeof openHome>;

/** Creates a home folder. `folder` is the value of XDG_CONFIG_HOME, `file` has the contexts. */
export function openHome() {
  const folder = temporaryFolder();
  const configFolder = join(folder, "platform");
  const file = join(configFolder, "contexts.json");
  return {
    folder,
    file,
    contexts: (): Contexts | null =>
      existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : null,
    run: (words: string[], options: RunOptions = {}) =>
      cli(words, { ...options, io: { configFolder, ...options.io } }),
  };
}

/**
 * Starts a server with the users ana (owner) and ben (viewer), and an empty home folder. Its clock
 * stands still at the present time.
 */
export async function openSite() {
  const test = await listenTestApp();
  test.clock.advance(Date.now() - test.clock.now());
  const owner = test.as("owner");
  await owner.call("users.create", { body: { username: "ana", password, role: "owner" } });
  await owner.call("users.create", { body: { username: "ben", password, role: "viewer" } });
  return {
    ...test,
    home: openHome(),
    /** Returns the number of sessions. */
    sessions: async () => {
      const sql = `SELECT COUNT(*) AS "count" FROM sessions`;
      return (await test.database.read.get<{ count: number }>(sql))?.count ?? 0;
    },
  };
}

/** Starts an HTTPS listener for the same app. Returns its URL. */
export async function listenTls({ app }: ListeningApp): Promise<string> {
  const { server } = createHttpServer({ ...app.httpOptions, tls: certificatePair("first") });
  return `https://127.0.0.1:${await listen(server)}`;
}

export function loginWords(url: string, username = "ana", ...more: string[]): string[] {
  return ["login", "--server", url, "--username", username, "--password-stdin", ...more];
}

export async function signIn(
  home: Home,
  url: string,
  username = "ana",
  ...more: string[]
): Promise<Ran> {
  const ran = await home.run(loginWords(url, username, ...more), { stdin: `${password}\n` });
  if (ran.status !== 0) throw new Error(`not signed in: ${ran.stderr}`);
  return ran;
}

/** Starts a server as `openSite` does, and signs ana in. */
export async function openSignedIn(...words: string[]) {
  const site = await openSite();
  await signIn(site.home, site.url, "ana", ...words);
  return site;
}

/** Starts another server, which records all requests and returns an empty list. */
export async function openStranger() {
  let heard = "";
  const url = await serveHttp((request, response) => {
    heard += `${request.method} ${request.url}\n${JSON.stringify(request.rawHeaders)}\n`;
    response.end('{"success":true,"data":[],"pagination":{"page":1,"pageSize":20,"total":0}}');
  });
  return { url, heard: () => heard };
}
