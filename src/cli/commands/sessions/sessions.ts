import { nouns } from "../../../api/contract/nouns.ts";
import type { Reply } from "../../../api/index.ts";
import type { Invocation } from "../../command.ts";
import { usageError } from "../../exit.ts";
import { callNamed } from "../../names/resolve.ts";
import { ambiguous, notFound } from "../../names/search.ts";
import { printAnswer } from "../../nouns/view.ts";
import { printWhole } from "../../output/listing.ts";
import type { ListView } from "../../output/output.ts";
import { mayMean } from "../../output/short-ids.ts";
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

export async function listOwnSessions(invocation: Invocation): Promise<void> {
  const api = await invocation.client();
  printWhole(invocation, await api.call("auth.sessions"), view);
}

export async function listUserSessions(invocation: Invocation): Promise<void> {
  const api = await invocation.client();
  const sessions = await callNamed(api, nouns.users, invocation.args[0] ?? "", (userId) =>
    api.call("users.sessions", { params: { userId } }),
  );
  printWhole(invocation, sessions, view);
}

export async function endOwnSessions({ io, args, options, client }: Invocation): Promise<void> {
  const given = args[0];
  if ((given === undefined) === (options.others !== true)) {
    throw usageError("give the session to end (see platformctl sessions list), or --others.");
  }
  const api = await client();
  const session = given === undefined ? null : oneOf(await api.call("auth.sessions"), given);
  const which = session?.current ? "this very session" : `the session ${session?.id}`;
  const question = `End ${session ? which : "all of your other sessions"}?`;
  await confirmOrRefuse(io, question, options.yes === true);
  const ended = session
    ? await api.call("auth.end-session", { params: { sessionId: session.id } })
    : await api.call("auth.end-other-sessions");
  printAnswer(io, options, ended);
}

function oneOf(sessions: readonly Session[], given: string): Session {
  const matches = sessions.filter(({ id }) => given !== "" && mayMean(given, id));
  const [only] = matches;
  if (!only) throw notFound("session", given, null);
  if (matches.length === 1) return only;
  throw ambiguous({ one: "session", about: "ip" }, given, matches);
}
