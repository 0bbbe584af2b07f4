// What each noun of the API is called by, and how what a person types becomes its id.

import type { ReplyData } from "../../api/contract/route.ts";
import type { Routes } from "../../api/index.ts";
import type { Client } from "../../client/client.ts";
import { usernameKey } from "../../domain/users.ts";
import { type Noun, resolveId } from "./naming.ts";

type Rows<Name extends keyof Routes> = ReplyData<Routes[Name]> extends (infer Row)[] ? Row : never;

export const service: Noun<Rows<"services.list">> = {
  word: "service",
  prefix: "svc_",
  codeOf: ({ code }) => code,
  nameOf: ({ name }) => name,
  list: (client, query) => client.page("services.list", { query }),
  searches: true,
};

export const agent: Noun<Rows<"agents.list">> = {
  word: "agent",
  prefix: "agt_",
  codeOf: ({ code }) => code,
  nameOf: ({ name }) => name,
  list: (client, query) => client.page("agents.list", { query }),
  searches: true,
};

export const registrationToken: Noun<Rows<"registration-tokens.list">> = {
  word: "registration token",
  prefix: "rtk_",
  codeOf: () => null,
  nameOf: ({ name }) => name,
  describe: ({ status, name }) => `${status.padEnd("REVOKED".length)}  ${name ?? ""}`.trimEnd(),
  isLive: ({ status }) => status === "ACTIVE",
  list: (client, query) => client.page("registration-tokens.list", { query }),
};

export const apiKey: Noun<Rows<"api-keys.list">> = {
  word: "API key",
  prefix: "key_",
  codeOf: () => null,
  nameOf: ({ name }) => name,
  describe: ({ status, name }) => `${status.padEnd("REVOKED".length)}  ${name}`,
  isLive: ({ status }) => status === "ACTIVE",
  list: (client, query) => client.page("api-keys.list", { query }),
};

export const route: Noun<Rows<"bus-routes.list">> = {
  word: "bus route",
  prefix: "brt_",
  codeOf: () => null,
  nameOf: ({ name }) => name,
  describe: ({ name }) => name,
  list: (client, query) => client.page("bus-routes.list", { query }),
  searches: true,
};

export const user: Noun<Rows<"users.list">> = {
  word: "user",
  prefix: "usr_",
  codeOf: ({ username }) => username,
  fold: usernameKey,
  list: (client, query) => client.page("users.list", { query }),
  searches: true,
};

/** Each answers the id. Throws a not-found error with the nearest name, or one with the candidates. */
export const resolveService = resolver(service);
export const resolveAgent = resolver(agent);
export const resolveRegistrationToken = resolver(registrationToken);
export const resolveApiKey = resolver(apiKey);
export const resolveRoute = resolver(route);
export const resolveUser = resolver(user);

function resolver<Row extends { id: string }>(noun: Noun<Row>) {
  return (client: Client, text: string): Promise<string> => resolveId(noun, client, text);
}
