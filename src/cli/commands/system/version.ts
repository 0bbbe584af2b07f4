import type { Reply } from "../../../api/index.ts";
import { Unreachable } from "../../../client/unreachable.ts";
import { AppError } from "../../../domain/errors.ts";
import { isPackaged, readProjectFile } from "../../../lib/files/project-files.ts";
import type { Invocation } from "../../command.ts";
import { findDestination } from "../../connecting/destination.ts";
import { CliError, exit } from "../../exit.ts";
import { printOne, type View } from "../../output/output.ts";
import { printableText } from "../../output/printable.ts";
import type { Io } from "../../terminal/io.ts";
import { programVersion } from "../../version.ts";

interface Versions {
  client: Awaited<ReturnType<typeof clientVersion>>;
  /** Null if the server did not respond, or if commands work on the database itself. */
  server: Reply<"system.version"> | null;
}

const view: View<Versions> = {
  columns: [
    { name: "client", value: ({ client }) => client.version },
    { name: "server", value: ({ server }) => server?.version },
    { name: "edition", value: ({ server }) => server?.edition },
    { name: "client commit", value: ({ client }) => client.commit },
    { name: "server commit", value: ({ server }) => server?.commit },
    { name: "client built", value: ({ client }) => client.buildTime, kind: "time", wide: true },
    { name: "server built", value: ({ server }) => server?.buildTime, kind: "time", wide: true },
    { name: "client node", value: ({ client }) => client.node },
    { name: "client sqlite", value: ({ client }) => client.sqlite },
    { name: "packaged", value: ({ client }) => client.packaged, wide: true },
  ],
  nameOf: ({ client }) => client.version,
};

/** A server that does not respond is not an error here, unlike in `health`. */
export async function version(invocation: Invocation): Promise<void> {
  const { io, options } = invocation;
  if (options.licenses) {
    io.out(licenses());
    return;
  }
  const client = await clientVersion(io);
  const server = await askServer(invocation);
  printOne(io, options, { client, server }, view);
}

async function clientVersion(io: Io) {
  const { COMMIT: commit, BUILD_TIME: buildTime } = io.env;
  return {
    version: programVersion(io.env.VERSION),
    ...(commit ? { commit } : {}),
    ...(buildTime ? { buildTime } : {}),
    node: process.versions.node,
    sqlite: await sqliteHere(io),
    packaged: isPackaged,
  };
}

/** The build collects the license texts. */
function licenses(): string {
  try {
    return readProjectFile("dist/licenses.txt");
  } catch {
    throw new CliError(
      exit.notFound,
      "this program runs from its sources: the licenses are with the packages in node_modules.",
    );
  }
}

async function sqliteHere(io: Io): Promise<string | null> {
  const { sqliteVersion } = await import("../../../store/engine/sqlite/version.ts");
  try {
    return sqliteVersion();
  } catch (error) {
    io.note(`${printableText((error as Error).message)}\n`);
    return null;
  }
}

async function askServer({ io, options, client }: Invocation): Promise<Versions["server"]> {
  const destination = await findDestination(io, options);
  // With --db, there is no server except this program.
  if (destination?.kind !== "server") return null;
  try {
    return await (await client()).call("system.version");
  } catch (error) {
    if (!isAway(error)) throw error;
    io.note(`${printableText(error.message)}\n`);
    return null;
  }
}

function isAway(error: unknown): error is Error {
  return (
    error instanceof Unreachable || (error instanceof AppError && error.code === "UNAVAILABLE")
  );
}
