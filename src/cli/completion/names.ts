// Names that the server knows, for completion: what could stand where the cursor is.

import type { Client } from "../../client/client.ts";
import type { NameKind } from "../command.ts";
import type { Candidate, Given } from "./spot.ts";

/** More are of no help to anybody who presses a key to see them. */
const pageSize = 200;

type Names = (api: Client, typed: string, given: Given) => Promise<Candidate[]>;

/** Those of this kind that begin as what was typed, and maybe others. */
export function namesOf(kind: NameKind, ...call: Parameters<Names>): Promise<Candidate[]> {
  return known[kind](...call);
}

/** Those of several kinds, and users for who may see them: the trail has whoever asks and may not. */
function andUsers(...kinds: NameKind[]): Names {
  return async (...call) => {
    const isOwner = (await call[0].call("auth.me")).user.role === "owner";
    const all: NameKind[] = isOwner ? [...kinds, "user"] : kinds;
    const found = await Promise.allSettled(all.map((kind) => known[kind](...call)));
    return found.flatMap((one) => (one.status === "fulfilled" ? one.value : []));
  };
}

const known: Record<NameKind, Names> = {
  actor: andUsers("agent"),
  target: andUsers("agent", "service"),
  async agent(api, typed) {
    const { data } = await api.page("agents.list", { query: { pageSize, ...searchFor(typed) } });
    return data.map(({ id, code, name, status }) => one(typed, id, code, name, status));
  },
  async service(api, typed) {
    const { data } = await api.page("services.list", { query: { pageSize, ...searchFor(typed) } });
    return data.map(({ id, code, name, status }) => one(typed, id, code, name, status));
  },
  async action(api, _typed, { args }) {
    const { resolveService } = await import("../names/resolve.ts");
    const serviceId = await resolveService(api, args[0] ?? "");
    const { actions } = await api.call("services.get", { params: { serviceId } });
    return actions.map(({ name, label, dangerLevel }) => ({
      value: name,
      description: `${label} (${dangerLevel})`,
    }));
  },
  async command(api) {
    const { data } = await api.page("commands.list", { query: { pageSize: 50 } });
    return data.map(commandOf);
  },
  async "open-command"(api) {
    const pages = await Promise.all(
      (["PENDING", "RUNNING"] as const).map((status) =>
        api.page("commands.list", { query: { pageSize: 50, status } }),
      ),
    );
    return pages.flatMap(({ data }) => data.map(commandOf));
  },
  async "registration-token"(api) {
    const { data } = await api.page("registration-tokens.list", { query: { pageSize } });
    return data.map(({ id, name, status }) => ({ value: id, description: about(name, status) }));
  },
  async user(api) {
    const { data } = await api.page("users.list", { query: { pageSize } });
    return data.map(({ username, role }) => ({ value: username, description: role }));
  },
  async "api-key"(api, typed) {
    const { data } = await api.page("api-keys.list", { query: { pageSize } });
    return data.map(({ id, name, role }) => one(typed, id, name, null, role));
  },
  async "bus-route"(api, typed) {
    const { data } = await api.page("bus-routes.list", {
      query: { pageSize, ...searchFor(typed) },
    });
    return data.map(({ id, name, state }) => one(typed, id, name, null, state));
  },
  async "bus-event"(api) {
    const { data } = await api.page("bus-events.list", { query: { pageSize: 50 } });
    return data.map(({ id, type, source }) => ({ value: id, description: `${type} of ${source}` }));
  },
};

/** Who has begun to type an id gets ids; everybody else gets codes. */
function one(
  typed: string,
  id: string,
  code: string,
  name: string | null,
  state: string,
): Candidate {
  const byId = /^[a-z]{3}_/.test(typed) && id.startsWith(typed);
  return byId
    ? { value: id, description: about(code, state) }
    : { value: code, description: about(name, state) };
}

/** Narrows a list to what contains the text, so that a large fleet's right page comes; not by id. */
function searchFor(typed: string): { q?: string } {
  return typed === "" || /^(agt|svc|brt)_/.test(typed) ? {} : { q: typed };
}

function commandOf(command: {
  id: string;
  action: string;
  serviceCode: string;
  status: string;
}): Candidate {
  const { id, action, serviceCode, status } = command;
  return { value: id, description: `${action} on ${serviceCode}, ${status}` };
}

function about(name: string | null, state: string): string {
  return name === null || name === "" ? state : `${name}, ${state}`;
}
