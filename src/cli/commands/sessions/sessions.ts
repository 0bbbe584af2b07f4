// `platformctl sessions …`, and `platformctl users sessions`: where somebody is signed in.

import type { Reply } from "../../../api/index.ts";
import type { Invocation } from "../../command.ts";
import { usageError } from "../../exit.ts";
import { ambiguous, notFound } from "../../names/naming.ts";
import { resolveUser } from "../../names/resolve.ts";
import { answerView } from "../../nouns/view.ts";
import { type ListView, type OutputOptions, printList, printOne } from "../../output/output.ts";
import type { Io } from "../../terminal/io.ts";
import { confirmOrRefuse } from "../../terminal/prompts.ts";

type Session = Reply<"auth.sessions">[number];

const view: ListView<Session> = {
  columns: [
    { name: "id", value: ({ id }) => id, kind: "key" },
    { name: "current", value: ({ current }) => (current ? "yes" : "-") },
    { name: "used", value: ({ lastUsedAt }) => lastUsedAt, kind: "time" },
    { name: "began", value: ({ createdAt }) => createdAt, kind: "time" },
    { name: "ends", value: ({ expiresAt }) => expiresAt, kind: "time" },
    { name: "from", value: ({ ip }) => ip },
    { name: "with", value: ({ userAgent }) => userAgent, wide: true },
  ],
  nameOf: ({ id }) => id,
  whenEmpty: "No sessions.",
};

export async function listOwnSessions({ io, options, client }: Invocation): Promise<void> {
  printSessions(io, options, await (await client()).call("auth.sessions"));
}

export async function listUserSessions({ io, args, options, client }: Invocation): Promise<void> {
  const api = await client();
  const userId = await resolveUser(api, args[0] ?? "");
  printSessions(io, options, await api.call("users.sessions", { params: { userId } }));
}

function printSessions(io: Io, options: object, sessions: readonly Session[]): void {
  const total = sessions.length;
  const pagination = { page: 1, pageSize: total, total };
  printList(io, options as OutputOptions, sessions, view, { pagination, filters: {} });
}

export async function endOwnSessions({ io, args, options, client }: Invocation): Promise<void> {
  const given = args[0];
  if ((given === undefined) === (options.others !== true)) {
    throw usageError("say which session to end (see: platformctl sessions list), or --others.");
  }
  const api = await client();
  const agreed = options.yes === true;
  if (given === undefined) {
    await confirmOrRefuse(io, "End all of your other sessions?", agreed);
    const ended = await api.call("auth.end-other-sessions");
    return printOne(io, options as OutputOptions, ended, answerView(ended));
  }
  const session = oneOf(await api.call("auth.sessions"), given);
  const whose = session.current ? "this very session" : `the session ${session.id}`;
  await confirmOrRefuse(io, `End ${whose}?`, agreed);
  const ended = await api.call("auth.end-session", { params: { sessionId: session.id } });
  printOne(io, options as OutputOptions, ended, answerView(ended));
}

function oneOf(sessions: readonly Session[], given: string): Session {
  const matches = sessions.filter(({ id }) => given !== "" && id.startsWith(given));
  const [only] = matches;
  if (!only) throw notFound("session", given, null);
  if (matches.length === 1) return only;
  throw ambiguous({ one: "session", about: "ip" }, given, matches);
}
