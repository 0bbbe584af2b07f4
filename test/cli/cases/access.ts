// Golden cases for users, API keys, registration tokens and sessions.

import type { World } from "../world.ts";
import type { Cases } from "./case.ts";

const password = "correct horse battery";

async function freeName({ as }: World): Promise<string> {
  const { pagination } = await as("owner").page("users.list");
  return `ada-${pagination.total + 1}`;
}

async function someUser(world: World): Promise<string> {
  const username = await freeName(world);
  await world.as("owner").call("users.create", { body: { username, password, role: "operator" } });
  return username;
}

async function someKey({ as }: World): Promise<string> {
  const body = { name: "ci", role: "viewer" as const };
  return (await as("owner").call("api-keys.create", { body })).id;
}

async function someToken({ as }: World): Promise<string> {
  const body = { name: "edge-7", expiresInSeconds: 0 };
  return (await as("owner").call("registration-tokens.create", { body })).id;
}

const ofUser =
  (...more: string[]) =>
  async (world: World) => [await someUser(world), ...more];

export const access: Cases = {
  "users list": {
    once: true,
    words: async (world) => {
      await someUser(world);
      return [];
    },
    route: "users.list",
  },
  "users get": {
    once: true,
    words: ofUser(),
    route: "users.get",
  },
  "users create": {
    words: async (world) => [
      ...["--username", await freeName(world)],
      ...["--display-name", "Ada Lovelace", "--role", "viewer", "--password-stdin"],
    ],
    stdin: `${password}\n`,
    route: "users.create",
    same: (api, { id }) => api.call("users.get", { params: { userId: id } }),
  },
  "users update": {
    words: ofUser("--role", "viewer", "--disable", "--yes"),
    route: "users.update",
    like: "users get",
  },
  "users disable": { words: ofUser("--yes"), route: "users.update", like: "users get" },
  "users enable": { words: ofUser(), route: "users.update", like: "users get" },
  "users set-password": {
    words: ofUser("--password-stdin"),
    stdin: "another long enough one\n",
    route: "users.set-password",
    like: "users get",
  },
  "users sessions": {
    once: true,
    words: async (world) => {
      const username = await someUser(world);
      await world.asPrincipal({ kind: "anonymous" }).call("auth.login", {
        body: { username, password },
      });
      return [username];
    },
    route: "users.sessions",
  },
  "users end-sessions": { words: ofUser(), route: "users.end-sessions" },
  "users delete": {
    onlyTable: true,
    words: ofUser("--yes"),
    route: "users.delete",
  },
  "api-keys create": {
    words: () => ["--name", "ci", "--role", "viewer", "--expires", "90d"],
    route: "api-keys.create",
  },
  "api-keys list": { varies: ["used"], route: "api-keys.list", reads: true },
  "api-keys get": {
    once: true,
    words: async (world) => [await someKey(world)],
    varies: ["used"],
    route: "api-keys.get",
  },
  "api-keys revoke": {
    words: async (world) => [await someKey(world), "--yes"],
    route: "api-keys.revoke",
    like: "api-keys get",
  },
  "api-keys delete": {
    onlyTable: true,
    words: async (world) => {
      const keyId = await someKey(world);
      await world.as("owner").call("api-keys.revoke", { params: { keyId } });
      return [keyId, "--yes"];
    },
    route: "api-keys.delete",
  },
  "tokens create": {
    words: () => ["--name", "edge-7", "--expires", "1h"],
    route: "registration-tokens.create",
  },
  "tokens list": {
    words: () => ["--status", "USED"],
    route: "registration-tokens.list",
    reads: true,
  },
  "tokens get": {
    once: true,
    words: async (world) => [await someToken(world)],
    route: "registration-tokens.get",
  },
  "tokens revoke": {
    words: async (world) => [await someToken(world), "--yes"],
    route: "registration-tokens.revoke",
    like: "tokens get",
  },
  "tokens delete": {
    onlyTable: true,
    words: async (world) => {
      const tokenId = await someToken(world);
      await world.as("owner").call("registration-tokens.revoke", { params: { tokenId } });
      return [tokenId, "--yes"];
    },
    route: "registration-tokens.delete",
  },
  whoami: {
    route: "auth.me",
    reads: true,
    // Nobody is signed in, and the command does not print the `installation` field.
    said: ({ user, expiresAt }) => {
      const thresholds = { offlineSeconds: 90, suppressSeconds: 900, serviceStaleSeconds: 120 };
      const installation = {
        ...{ workspaceName: "default", version: "0.0.0", busEnabled: false },
        commandTtlSeconds: 300,
        thresholds,
      };
      return { user, expiresAt, csrfToken: null, installation };
    },
    varies: ["server"],
  },
};
