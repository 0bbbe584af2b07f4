// Says how to start the servers after a move, and how to give up the move.

import { basename } from "node:path";
import type { MoveReport } from "../../../domain/storage/moves.ts";
import type { FilePlace, PostgresPlace } from "../../../domain/storage/place.ts";
import { shellWord } from "../../../lib/shell-word.ts";
import { forgottenSessionKey, type MovedPlaces } from "./places.ts";

export function whatNext({ from }: MoveReport, places: MovedPlaces): string {
  const { to, sessionKeyFile } = places;
  const forgotten = forgottenSessionKey(places);
  const next = to.kind === "file" ? startOnFile(to, places) : startOnServer(to, sessionKeyFile);
  return [
    ...next,
    ...(forgotten === null
      ? []
      : [`Everyone must sign in again, because ${sessionKeyFile} is not the key ${forgotten}.`]),
    "",
    `${from} is unchanged, but servers no longer open it. To give up the move instead:`,
    `  platform db reactivate --db ${shellWord(from)}`,
    "",
  ].join("\n");
}

function startOnServer({ name, auditKeyFile }: PostgresPlace, sessionKeyFile: string | null) {
  const session =
    sessionKeyFile === null
      ? "PLATFORM_SESSION_SECRET, as before"
      : `PLATFORM_SESSION_SECRET_FILE=${shellWord(sessionKeyFile)}`;
  const keys = sessionKeyFile === null ? "this key file" : "these two key files";
  return [
    "Now start each server with these settings:",
    `  PLATFORM_DATABASE_URL=${shellWord(name)}`,
    `  PLATFORM_AUDIT_KEY_FILE=${shellWord(auditKeyFile)}`,
    `  ${session}`,
    "Add the password to the URL, or set PGPASSWORD or PGPASSFILE. Every host that runs a server needs a",
    `copy of ${keys}.`,
  ];
}

function startOnFile({ file, folder }: FilePlace, { sessionKeyFile }: MovedPlaces): string[] {
  const start =
    basename(file) === "platform.db"
      ? [`Now start one server: platform serve --data-dir ${shellWord(folder)}`]
      : ["Now start one server with this setting:", `  PLATFORM_DATABASE_URL=${shellWord(file)}`];
  const keys = ["PLATFORM_AUDIT_KEY_FILE", "PLATFORM_SESSION_SECRET_FILE"];
  return [
    ...start,
    sessionKeyFile === null
      ? `It uses the copy of the audit key in ${folder}, and PLATFORM_SESSION_SECRET as before.`
      : `It uses the copies of both keys in ${folder}.`,
    `Remove ${keys.join(", ")}, and a PLATFORM_DATABASE_URL that`,
    "names another database, from its settings.",
  ];
}
