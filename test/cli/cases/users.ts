import type { World } from "../world.ts";
import type { Case } from "./case.ts";

export const password = "correct horse battery";

/** Creates an operator, each with another name, and answers the name. */
async function someUser({ as }: World): Promise<string> {
  const { pagination } = await as("owner").page("users.list");
  const username = `ada-${pagination.total + 1}`;
  await as("owner").call("users.create", { body: { username, password, role: "operator" } });
  return username;
}

const getUser: NonNullable<Case["same"]> = (api, { id }) =>
  api.call("users.get", { params: { userId: id } });
const getChanged: NonNullable<Case["same"]> = async (api, printed) => ({
  ...((await getUser(api, printed)) as object),
  sessionsEnded: 0,
  apiKeysRevoked: 0,
});

export const users: Record<string, Case> = {
  "users list": {
    words: async (world) => {
      if ((await world.as("owner").page("users.list")).data.length === 0) await someUser(world);
      return [];
    },
    route: "users.list",
    same: async (api) => (await api.page("users.list")).data,
  },
  "users get": {
    words: async (world) => [await someUser(world)],
    route: "users.get",
    same: getUser,
  },
  "users create": {
    words: async ({ as }) => {
      const { pagination } = await as("owner").page("users.list");
      const username = `ada-${pagination.total + 1}`;
      return ["--username", username, "--role", "viewer", "--password-stdin"];
    },
    stdin: `${password}\n`,
    route: "users.create",
    same: getUser,
  },
  "users update": {
    words: async (world) => [await someUser(world), "--role", "viewer", "--disable", "--yes"],
    route: "users.update",
    same: getChanged,
  },
  "users disable": {
    words: async (world) => [await someUser(world), "--yes"],
    route: "users.update",
    same: getChanged,
  },
  "users enable": {
    words: async (world) => [await someUser(world)],
    route: "users.update",
    same: getChanged,
  },
  "users set-password": {
    words: async (world) => [await someUser(world), "--password-stdin"],
    stdin: "another long enough one\n",
    route: "users.set-password",
    same: getUser,
  },
  "users sessions": {
    words: async (world) => {
      const username = await someUser(world);
      await world.asPrincipal({ kind: "anonymous" }).call("auth.login", {
        body: { username, password },
      });
      return [username];
    },
    route: "users.sessions",
  },
  "users end-sessions": {
    words: async (world) => [await someUser(world)],
    route: "users.end-sessions",
  },
  "users delete": {
    words: async (world) => [await someUser(world), "--yes"],
    route: "users.delete",
  },
};
