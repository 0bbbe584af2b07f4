import type { Reply } from "../../../api/index.ts";
import type { Invocation } from "../../command.ts";
import { changeContexts, findContext } from "../../connecting/contexts.ts";
import { type Destination, requireDestination } from "../../connecting/destination.ts";
import { printOne, type View } from "../../output/output.ts";
import type { Io } from "../../terminal/io.ts";

type Me = Reply<"auth.me">;

type Identity = ReturnType<typeof identityOf>;

const byNames = {
  session: "session",
  apiKey: "API key",
  file: "database file",
  postgresql: "database",
};

const identityView: View<Identity> = {
  columns: [
    { name: "user", value: ({ user }) => user.username },
    { name: "display name", value: ({ user }) => user.displayName },
    { name: "role", value: ({ user }) => user.role },
    { name: "by", value: ({ by }) => byNames[by] },
    { name: "server", value: ({ server }) => server },
    { name: "db", value: ({ db }) => db },
    { name: "context", value: ({ context }) => context },
    { name: "expires", value: ({ expiresAt }) => expiresAt, kind: "time" },
    { name: "id", value: ({ user }) => user.id, wide: true },
  ],
  nameOf: ({ user }) => user.username,
};

export async function whoAmI({ io, options, client }: Invocation): Promise<void> {
  const destination = await requireDestination(io, options);
  const me = await (await client()).call("auth.me");
  printOne(io, options, identityOf(destination, me), identityView);
  // The folder may be read-only. Without the new expiry, only `context list` and `context show` are
  // out of date.
  await noteExpiry(io, destination, me.expiresAt).catch(() => undefined);
}

/** `by` is the credential; "file" and "postgresql" mean access to the database itself. */
function identityOf(destination: Destination, { user, expiresAt }: Me) {
  if (destination.kind !== "server") {
    const { kind: by, name: db } = destination;
    return { user, by, server: null, db, context: null, expiresAt };
  }
  const { url, context, credential } = destination;
  const by = credential.kind === "apiKey" ? ("apiKey" as const) : ("session" as const);
  return { user, by, server: url, db: null, context, expiresAt };
}

/** Saves the new expiry time, because using a session extends it. */
async function noteExpiry(
  io: Io,
  destination: Destination,
  expiresAt: string | null,
): Promise<void> {
  if (destination.kind !== "server" || destination.context === null) return;
  const { context: name, credential } = destination;
  if (credential.kind !== "session" || credential.session.expiresAt === expiresAt) return;
  await changeContexts(io, (all) => {
    const session = findContext(all, name)?.session;
    if (session?.cookie === credential.session.cookie) session.expiresAt = expiresAt;
  });
}
