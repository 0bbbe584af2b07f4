import type { Reply } from "../../../api/index.ts";
import type { Invocation } from "../../command.ts";
import { asksNoServer } from "../../connecting/asks-no-server.ts";
import { printOne, type View } from "../../output/output.ts";
import { confirmOrRefuse } from "../../terminal/prompts.ts";

type DataLoss = Reply<"maintenance.accept-data-loss">;

const view: View<DataLoss> = {
  columns: [
    { name: "noticed", value: ({ since }) => since, kind: "time" },
    { name: "noticed on", value: ({ host }) => host },
    { name: "newest lost audit row", value: ({ lostRow }) => lostRow },
    { name: "accepted", value: ({ acceptedAt }) => acceptedAt, kind: "time" },
    { name: "accepted by", value: ({ acceptedBy }) => acceptedBy },
  ],
  nameOf: ({ lostRow }) => String(lostRow),
};

/**
 * Reads the loss from the overview, because the route that accepts it describes it only afterwards.
 * After a server has accepted the loss, there can still be something to accept with `--db`.
 */
export async function acceptDataLoss({ io, options, client }: Invocation): Promise<void> {
  const api = await client();
  const { dataLoss } = await api.call("overview.get");
  const gone = dataLoss
    ? `Audit rows up to ${dataLoss.lostRow} are gone, and with them the commands, results and revocations ` +
      "of that time. Schedules and rollouts may do again what they did then. "
    : "";
  const signed = asksNoServer(api)
    ? "The signatures that name lost audit rows are replaced, so that the trail verifies again from here on. "
    : "";
  if (gone + signed !== "") {
    await confirmOrRefuse(io, `${gone}${signed}Continue?`, options.yes === true);
  }
  printOne(io, options, await api.call("maintenance.accept-data-loss"), view);
}
