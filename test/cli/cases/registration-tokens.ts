import type { World } from "../world.ts";
import type { Case } from "./case.ts";

/** Creates a token that does not expire, for a command that follows; answers its id. */
async function someToken({ as }: World): Promise<string> {
  const body = { name: "edge-7", expiresInSeconds: 0 };
  return (await as("owner").call("registration-tokens.create", { body })).id;
}

const getToken: NonNullable<Case["same"]> = (api, { id }) =>
  api.call("registration-tokens.get", { params: { tokenId: id } });

export const registrationTokens: Record<string, Case> = {
  "tokens create": {
    words: () => ["--name", "edge-7", "--expires", "1h"],
    route: "registration-tokens.create",
  },
  "tokens list": {
    words: () => ["--status", "USED"],
    route: "registration-tokens.list",
    same: async (api) => (await api.page("registration-tokens.list")).data,
  },
  "tokens get": {
    words: async (world) => [await someToken(world)],
    route: "registration-tokens.get",
    same: getToken,
  },
  "tokens revoke": {
    words: async (world) => [await someToken(world), "--yes"],
    route: "registration-tokens.revoke",
    same: getToken,
  },
  "tokens delete": {
    words: async (world) => {
      const tokenId = await someToken(world);
      await world.as("owner").call("registration-tokens.revoke", { params: { tokenId } });
      return [tokenId, "--yes"];
    },
    route: "registration-tokens.delete",
  },
};
