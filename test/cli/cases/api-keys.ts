import type { World } from "../world.ts";
import type { Case } from "./case.ts";

/** Creates a key, and returns its id. */
async function someKey({ as }: World): Promise<string> {
  const body = { name: "ci", role: "viewer" as const };
  return (await as("owner").call("api-keys.create", { body })).id;
}

const getKey: NonNullable<Case["same"]> = (api, { id }) =>
  api.call("api-keys.get", { params: { keyId: id } });

export const apiKeys: Record<string, Case> = {
  "api-keys create": {
    words: () => ["--name", "ci", "--role", "viewer", "--expires", "90d"],
    route: "api-keys.create",
  },
  "api-keys list": {
    varies: ["used"],
    route: "api-keys.list",
    same: async (api) => (await api.page("api-keys.list")).data,
  },
  "api-keys get": {
    words: async (world) => [await someKey(world)],
    varies: ["used"],
    route: "api-keys.get",
    same: getKey,
  },
  "api-keys revoke": {
    words: async (world) => [await someKey(world), "--yes"],
    route: "api-keys.revoke",
    same: getKey,
  },
  "api-keys delete": {
    words: async (world) => {
      const keyId = await someKey(world);
      await world.as("owner").call("api-keys.revoke", { params: { keyId } });
      return [keyId, "--yes"];
    },
    route: "api-keys.delete",
  },
};
