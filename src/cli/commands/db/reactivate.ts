// `platform db reactivate`: reverses a move. (docs/guides/cluster.md)

import { operatorName } from "../../../lib/files/accounts.ts";
import { isoTime } from "../../../lib/iso-time.ts";
import type { Invocation } from "../../command.ts";
import { databasePlace, localConfig } from "../../connecting/database-place.ts";
import { withApp } from "../../connecting/local-app.ts";
import { CliError, exit } from "../../exit.ts";
import { refuseRoot } from "../../files/refuse-root.ts";
import { confirmOrRefuse } from "../../terminal/prompts.ts";

export async function reactivateDatabase({ io, options }: Invocation): Promise<void> {
  const place = await databasePlace(io, options);
  refuseRoot(place);
  const config = localConfig(io.env, place);
  const { findMark } = await import("../../../store/move/mark.ts");
  const { name } = place;
  const to = await withApp(io, config, place, { evenIfMoved: true }, async ({ app, opened }) => {
    const mark = await findMark(opened.database.read);
    if (mark === null) {
      const message = `the data of ${name} was not moved; nothing was done.`;
      throw new CliError(exit.conflict, message, { code: "NOT_MOVED" });
    }
    const { to, at } = mark;
    const question =
      `Use ${name} again, as it was on ${isoTime(at)}? It does not contain what was written to ${to} ` +
      "since then, and the two must not both be used.";
    await confirmOrRefuse(io, question, options.yes === true);
    await app.reactivate(opened.databaseUser ?? operatorName());
    return to;
  });
  io.note(`Servers can open ${name} again. Make sure that none opens ${to}.\n`);
}
