// `platform db reactivate`: reverses a move. (docs/guides/cluster.md)

import { operatorName } from "../../../lib/files/accounts.ts";
import { isoTime } from "../../../lib/iso-time.ts";
import type { Invocation } from "../../command.ts";
import { databasePlace, localConfig } from "../../connecting/database-place.ts";
import { type OpenedStore, withApp } from "../../connecting/local-app.ts";
import { CliError, exit } from "../../exit.ts";
import { refuseRoot } from "../../files/refuse-root.ts";
import { confirmOrRefuse } from "../../terminal/prompts.ts";

export async function reactivateDatabase({ io, options }: Invocation): Promise<void> {
  const place = await databasePlace(io, options);
  refuseRoot(place);
  const config = localConfig(io.env, place);
  const { findMark } = await import("../../../store/move/mark.ts");
  const { name } = place;
  let to = "";
  const check = async ({ database }: OpenedStore) => {
    const mark = await findMark(database.read);
    if (mark === null) {
      const message = `the data of ${name} was not moved; nothing was done.`;
      throw new CliError(exit.conflict, message, { code: "NOT_MOVED" });
    }
    to = mark.to;
    const question =
      `Use ${name} again, as it was on ${isoTime(mark.at)}? It does not contain what was written to ${to} ` +
      "since then, and the two must not both be used.";
    await confirmOrRefuse(io, question, options.yes === true);
  };
  await withApp(io, config, place, { evenIfMoved: true, check }, ({ app, opened }) =>
    app.reactivate(opened.databaseUser ?? operatorName()),
  );
  io.note(`Servers can open ${name} again. Make sure that none opens ${to}.\n`);
}
