// The commands for contexts. They never print secrets.

import type { Invocation } from "../../command.ts";
import {
  type Context,
  changeContexts,
  noteOverrides,
  readContexts,
  requireContext,
} from "../../connecting/contexts.ts";
import { signOut } from "../../connecting/sign-in.ts";
import { CliError, exit } from "../../exit.ts";
import { printWhole } from "../../output/listing.ts";
import { type ListView, printOne } from "../../output/output.ts";

type ShownContext = ReturnType<typeof shown>;

const view: ListView<ShownContext> = {
  columns: [
    { name: "name", value: ({ name }) => name, kind: "key" },
    { name: "current", value: ({ current }) => (current ? "yes" : null) },
    { name: "server", value: ({ server }) => server },
    { name: "user", value: ({ username }) => username },
    { name: "session", value: ({ signedIn }) => (signedIn ? "yes" : "signed out") },
    { name: "expires", value: ({ expiresAt }) => expiresAt, kind: "time", wide: true },
    { name: "own-ca", value: ({ ownCa }) => (ownCa ? "yes" : null), wide: true },
  ],
  nameOf: ({ name }) => name,
  whenEmpty: "There are no contexts. Create one: platformctl login --server URL",
};

export async function listContexts({ io, options }: Invocation): Promise<void> {
  const { current, contexts } = readContexts(io);
  const rows = contexts
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map((context) => shown(context, current));
  printWhole({ io, options }, rows, view);
}

export async function showContext({ io, args, options }: Invocation): Promise<void> {
  const all = readContexts(io);
  const name = args[0] ?? io.env.CONTEXT ?? all.current;
  if (name === null) {
    const message = "there is no current context: platformctl login creates one.";
    throw new CliError(exit.notFound, message, { code: "CONTEXT_NOT_FOUND" });
  }
  printOne(io, options, shown(requireContext(all, name), all.current), view);
}

export async function useContext({ io, args: [name = ""] }: Invocation): Promise<void> {
  const { server } = await changeContexts(io, (all) => {
    const context = requireContext(all, name);
    all.current = name;
    return context;
  });
  io.note(`The current context is ${name} (${server}).\n`);
  noteOverrides(io, name);
}

/** Also ends the session, which nobody could use any longer. */
export async function deleteContext(invocation: Invocation): Promise<void> {
  const { io, args } = invocation;
  const [name = ""] = args;
  await signOut(invocation, name);
  const wasCurrent = await changeContexts(io, (all) => {
    const context = requireContext(all, name);
    all.contexts = all.contexts.filter((other) => other !== context);
    if (all.current !== name) return false;
    all.current = null;
    return true;
  });
  const next = wasCurrent ? " There is no current context now." : "";
  io.note(`The context ${name} is deleted.${next}\n`);
}

function shown({ name, server, username, session, ca }: Context, current: string | null) {
  return {
    name,
    server,
    username,
    current: name === current,
    signedIn: session !== null,
    expiresAt: session?.expiresAt ?? null,
    ownCa: ca !== null,
  };
}
