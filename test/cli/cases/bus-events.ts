import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Client } from "../../../src/client/client.ts";
import { temporaryFolder } from "../../helpers/app.ts";
import type { World } from "../world.ts";
import type { Case } from "./case.ts";

const sent = { type: "log.full", source: "log-collector", data: { lines: 3 } };

const rule = {
  name: "louder",
  state: "ENABLED",
  match: { type: "log.full" },
  // Nobody fetches the command: what is told of it stays as it is.
  target: { serviceCode: "sleeper", action: "snore" },
} as const;

/** An event that the world's one route has made a command of; answers its id. */
async function publish({ as }: World): Promise<string> {
  const operator = as("operator");
  const { pagination } = await operator.page("bus-routes.list");
  if (pagination.total === 0) await operator.call("bus-routes.create", { body: rule });
  return (await operator.call("bus-events.publish", { body: sent })).id;
}

function file(): string {
  const path = join(temporaryFolder(), "event.json");
  writeFileSync(path, JSON.stringify(sent));
  return path;
}

const getEvent = (api: Client, { id }: { id: string }) =>
  api.call("bus-events.get", { params: { eventId: id } });

export const busEvents: Record<string, Case> = {
  "events list": {
    words: async (world) => {
      await publish(world);
      return ["--limit", "1"];
    },
    route: "bus-events.list",
    same: async (api) => (await api.page("bus-events.list", { query: { pageSize: 1 } })).data,
  },
  "events get": {
    words: async (world) => [await publish(world)],
    route: "bus-events.get",
    same: getEvent,
  },
  "events publish": {
    words: () => ["-f", file(), "--subject", "app.log"],
    route: "bus-events.publish",
    same: async (api, printed) => ({ ...(await getEvent(api, printed)), duplicate: false }),
  },
};
