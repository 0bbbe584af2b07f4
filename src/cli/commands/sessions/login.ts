import { isOpenToOthers } from "../../../client/proxy.ts";
import type { Invocation } from "../../command.ts";
import { readCa } from "../../connecting/ca-file.ts";
import {
  type Context,
  type Contexts,
  changeContexts,
  findContext,
  noteOverrides,
  readContexts,
  requireContext,
  requireContextName,
  type Session,
} from "../../connecting/contexts.ts";
import { usualServerOf } from "../../connecting/own-server.ts";
import { hostOf, serverUrl } from "../../connecting/server-url.ts";
import {
  beginSession,
  endSession,
  requireServer,
  type Server,
  signOut,
} from "../../connecting/sign-in.ts";
import { CliError, exit, usageError } from "../../exit.ts";
import type { Io } from "../../terminal/io.ts";
import { askHidden, askText, requireSomebody } from "../../terminal/prompts.ts";

type LoginOptions = { passwordStdin?: boolean } & Partial<
  Record<"server" | "username" | "name" | "caFile", string>
>;

/** Saves the new session in the context, and ends the session that it replaces. */
export async function login(invocation: Invocation): Promise<void> {
  const { io } = invocation;
  const options = invocation.options as LoginOptions;
  const all = readContexts(io);
  const known = { ...all, current: io.env.CONTEXT ?? all.current };
  const url = await whichServer(invocation, known);
  const name = contextNameFor(known, url, options.name);
  const before = findContext(known, name);
  requireSameServer(before, name, url);
  const server: Server = { url, ca: readCa(io, options.caFile) ?? before?.ca ?? undefined };
  if (isOpenToOthers(url)) {
    io.note(`The password goes to ${url} unencrypted: anyone on the network path can read it.\n`);
  }
  // Fails before asking for a password if the server is not available.
  if (io.interactive && !options.passwordStdin) await requireServer(invocation, server);
  const credentials = await askCredentials(invocation, before);
  const { user, session } = await beginSession(invocation, server, credentials);
  const replaced = await save(invocation, name, server, { username: user.username, session });
  if (replaced) await endSession(invocation, server, replaced);
  const isSwitched = all.current !== null && all.current !== name;
  const context = isSwitched ? `now ${name} (before: ${all.current})` : name;
  const who = `${user.username} (${user.role})`;
  io.note(`Signed in to ${url} as ${who}; the current context is ${context}.\n`);
  noteOverrides(io, name);
}

async function whichServer(invocation: Invocation, known: Contexts): Promise<string> {
  const { io } = invocation;
  const { server, name } = invocation.options as LoginOptions;
  if (server !== undefined) return serverUrl(server, "--server");
  const remembered = rememberedServer(io, known, name);
  if (remembered === null && io.interactive) {
    const suggestion = await usualServerOf(io);
    const typed = await askText({ message: "Server", suggestion, problemOf: ifEmpty });
    return serverUrl(typed.trim(), "the server");
  }
  const url = remembered ?? (await usualServerOf(io));
  io.note(`Signing in to ${url}.\n`);
  return url;
}

function rememberedServer(io: Io, known: Contexts, name: string | undefined): string | null {
  const named = name === undefined ? null : findContext(known, name);
  if (named) return named.server;
  if (io.env.URL) return serverUrl(io.env.URL, "PLATFORM_URL");
  return known.current === null ? null : requireContext(known, known.current).server;
}

/** Prefers the current context of this server, then one that is named like the host. */
function contextNameFor({ current, contexts }: Contexts, url: string, given?: string): string {
  if (given !== undefined) return requireContextName(given);
  const names = contexts.filter(({ server }) => server === url).map(({ name }) => name);
  const host = hostOf(url);
  const kept = [current, host].find((name) => name !== null && names.includes(name));
  return kept ?? names[0] ?? host;
}

function requireSameServer(before: Context | null, name: string, url: string): void {
  if (!before || before.server === url) return;
  throw new CliError(
    exit.conflict,
    `the context ${name} belongs to ${before.server}: choose another name with --name, or first ` +
      `\`platformctl context delete ${name}\`.`,
    { code: "CONTEXT_TAKEN" },
  );
}

async function askCredentials(
  { io, options, signal }: Invocation,
  before: Context | null,
): Promise<{ username: string; password: string }> {
  const { username: given, passwordStdin } = options as LoginOptions;
  if (passwordStdin && io.interactive) {
    throw usageError(
      "--password-stdin reads a file or a pipe, not the terminal: leave out the flag to be asked.",
    );
  }
  const username = given ?? (await askUsername(io, before?.username));
  const password = passwordStdin
    ? withoutLineEnd(await io.readStdin(signal))
    : await askPassword(io);
  if (password === "") throw usageError("the password is empty.");
  return { username, password };
}

async function askUsername(io: Io, suggestion: string | undefined): Promise<string> {
  requireSomebody(io, "--username NAME");
  return (await askText({ message: "Username", suggestion, problemOf: ifEmpty })).trim();
}

function askPassword(io: Io): Promise<string> {
  requireSomebody(io, "--password-stdin");
  return askHidden({ message: "Password", problemOf: () => null });
}

function ifEmpty(typed: string): string | null {
  return typed.trim() === "" ? "It is required." : null;
}

/** Spaces are part of the password; the line feed at the end is not. */
function withoutLineEnd(text: string): string {
  return text.replace(/\r?\n$/, "");
}

/** Saves the new session and returns the previous one. If saving fails, ends the new session. */
async function save(
  invocation: Invocation,
  name: string,
  { url: server, ca }: Server,
  signedIn: { username: string; session: Session },
): Promise<Session | null> {
  try {
    return await changeContexts(invocation.io, (all) => {
      const before = findContext(all, name);
      requireSameServer(before, name, server);
      const context: Context = { ...before, name, server, ca: ca ?? null, ...signedIn };
      const others = all.contexts.filter((other) => other !== before);
      all.contexts = [...others, context];
      all.current = name;
      return before?.session ?? null;
    });
  } catch (error) {
    await endSession(invocation, { url: server, ca }, signedIn.session);
    throw error;
  }
}

/** Deletes the session here, even if the server is unavailable and cannot end it. */
export async function logout(invocation: Invocation): Promise<void> {
  const { io, options } = invocation;
  const known = readContexts(io);
  const name = (options.context as string | undefined) ?? io.env.CONTEXT ?? known.current;
  if (name === null) {
    io.note("There is no current context: you are not signed in.\n");
    return;
  }
  const { server } = requireContext(known, name);
  if (await signOut(invocation, name)) io.note(`Signed out of ${server}.\n`);
  else io.note(`You were not signed in to ${server}.\n`);
}
