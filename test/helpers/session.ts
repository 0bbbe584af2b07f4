// Signs users in to a test's server by changing its database file, as `--db` does. This saves the
// sign-in page and the time that hashing a real password takes.

import { type App, createApp } from "../../src/app.ts";
import { createClient } from "../../src/client/client.ts";
import { localTransport } from "../../src/client/transport-local.ts";
import { loadConfig } from "../../src/config/config.ts";
import { login } from "../../src/core/access/logins.ts";
import { systemContext } from "../../src/core/context.ts";
import type { Role } from "../../src/domain/access/principals.ts";
import { placeOf } from "../../src/domain/storage/place.ts";
import { openDatabase } from "../../src/store/engine/sqlite/open.ts";
import { testWorld } from "./app.ts";
import { cheapScryptCost } from "./cheap-passwords.ts";
import { type Answer, type Server, send } from "./process/process.ts";
import { templateOwner } from "./template-owner.ts";

export interface Person {
  username: string;
  displayName?: string;
  password: string;
  role: Role;
}

export const owner: Person = { ...templateOwner, role: "owner" };
export const viewer: Person = { username: "vera", password: "only looks at it", role: "viewer" };

/** A server that is a process of its own, or one in this process. */
export type AnyServer =
  | Pick<Server, "url" | "file" | "dataDir">
  | { url: string; file: string; app: App };

/** The headers that make a request as this user. */
export interface SessionHeaders {
  cookie: string;
  "x-csrf-token": string;
}

/** Creates a user whose password costs almost nothing to check. */
export function addUser(server: AnyServer, person: Person): Promise<unknown> {
  return inFile(server, (app) =>
    createClient(
      localTransport(
        server.file,
        app.localDoor({ kind: "local", osUser: "the test" }),
        async () => undefined,
      ),
    ).call("users.create", { body: person }),
  );
}

export function signInAs(server: AnyServer, person: Person): Promise<SessionHeaders> {
  return inFile(server, async ({ core }) => {
    const ctx = { ...systemContext(core), principal: { kind: "anonymous" } } as const;
    const { cookie, session } = await login(ctx, person.username, person.password);
    return {
      cookie: `platform_session=${cookie}`,
      "x-csrf-token": String(session.csrfToken),
    };
  });
}

export type Call = (method: string, path: string, body?: unknown) => Promise<Answer>;

/** Returns a function that makes the owner's calls. `path` is the part after `/api/admin`. */
export async function callAsOwner(server: AnyServer): Promise<Call> {
  const headers = { ...(await signInAs(server, owner)) };
  return (method, path, body) =>
    send(server.url, method, `/api/admin${path}`, { headers, ...(body ? { body } : {}) });
}

async function inFile<T>(server: AnyServer, work: (app: App) => Promise<T>): Promise<T> {
  if ("app" in server) return work(server.app);
  const { file, dataDir } = server;
  const config = loadConfig({ DATA_DIR: dataDir }, "0.0.0");
  const opened = openDatabase({ file, busyTimeoutMs: 5000, schema: "require", now: Date.now });
  const app = createApp(
    config,
    { place: placeOf(config), ...opened },
    {
      ...testWorld,
      scryptCost: cheapScryptCost,
    },
  );
  try {
    return await work(app);
  } finally {
    await app.close();
    await opened.database.close();
  }
}
