// `platform db reactivate`: reverses a move. (docs/guides/cluster.md)

import { operatorName } from "../../../lib/files/accounts.ts";
import { isoTime } from "../../../lib/iso-time.ts";
import type { Invocation } from "../../command.ts";
import { databasePlace, localConfig } from "../../connecting/database-place.ts";
import { CliError, exit } from "../../exit.ts";
import { inChild } from "../../files/child-processes.ts";
import { refuseRoot } from "../../files/refuse-root.ts";
import { confirmOrRefuse } from "../../terminal/prompts.ts";

const busyTimeoutMs = 5000;

export async function reactivateDatabase({ io, options }: Invocation): Promise<void> {
  const place = await databasePlace(io, options);
  refuseRoot(place);
  const config = localConfig(io.env, place);
  const { createApp, realWorld } = await import("../../../app.ts");
  const { openStore } = await import("../../../store/open.ts");
  const { findMark } = await import("../../../store/move/mark.ts");
  const { name } = place;
  const opened = await openStore(place, {
    schema: "require",
    evenIfMoved: true,
    busyTimeoutMs,
    now: io.now,
  });
  const { database } = opened;
  try {
    const mark = await findMark(database.read);
    if (mark === null) {
      const message = `the data of ${name} was not moved; nothing was done.`;
      throw new CliError(exit.conflict, message, { code: "NOT_MOVED" });
    }
    const { to, at } = mark;
    const question =
      `Use ${name} again, as it was on ${isoTime(at)}? It does not contain what was written to ${to} ` +
      "since then, and the two must not both be used.";
    await confirmOrRefuse(io, question, options.yes === true);
    const app = createApp(config, opened, { ...realWorld, ...inChild });
    await app.reactivate(opened.databaseUser ?? operatorName());
    await app.close();
    io.note(`Servers can open ${name} again. Make sure that none opens ${to}.\n`);
  } finally {
    await database.close();
  }
}
