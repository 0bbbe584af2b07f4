// Contexts: the servers that a user has signed in to, by names; which of them is the current one; and the
// sessions there. Never a password.

import { join } from "node:path";
import { z } from "zod";
import { didYouMean, nearest } from "../../lib/nearest.ts";
import { CliError, exit, usageError } from "../exit.ts";
import type { Io } from "../terminal/io.ts";
import { readPrivateFile, replacePrivateFile } from "./contexts-file.ts";

const sessionSchema = z.object({
  /** `name=value` */
  cookie: z.string(),
  csrfToken: z.string(),
  /** As the server said last; use moves it. */
  expiresAt: z.string().nullable(),
});

const contextSchema = z.looseObject({
  name: z.string(),
  /** The only place that the session is ever sent to. */
  server: z.url({ protocol: /^https?$/ }),
  /** Certificates in PEM that vouch for it: the text, so that it holds in every folder and stays the same. */
  ca: z.string().nullable(),
  username: z.string(),
  /** Null when signed out. */
  session: sessionSchema.nullable(),
});

const contextsSchema = z.looseObject({
  current: z.string().nullable(),
  contexts: z.array(contextSchema),
});

export type Session = z.infer<typeof sessionSchema>;
export type Context = z.infer<typeof contextSchema>;
export type Contexts = z.infer<typeof contextsSchema>;

/** All contexts; none when there is no file, or no home to have one in. Throws CONTEXTS_UNUSABLE. */
export function readContexts(io: Io): Contexts {
  if (io.configFolder === null) return empty();
  const file = contextsFile(io.configFolder);
  return parse(
    file,
    attempt(file, () => readPrivateFile(io, file)),
  );
}

/** Changes the contexts as they are by then, and writes them. Throws CONTEXTS_UNUSABLE. */
export async function changeContexts<T>(io: Io, change: (contexts: Contexts) => T): Promise<T> {
  if (io.configFolder === null) {
    throw unusable("contexts cannot be kept: set HOME or XDG_CONFIG_HOME.");
  }
  const file = contextsFile(io.configFolder);
  let result: T | undefined;
  try {
    await replacePrivateFile(io, file, (text) => {
      const contexts = parse(file, text);
      result = change(contexts);
      return `${JSON.stringify(contexts, null, 2)}\n`;
    });
  } catch (error) {
    throw fileFailure(file, error);
  }
  return result as T;
}

export function findContext({ contexts }: Contexts, name: string): Context | null {
  return contexts.find((context) => context.name === name) ?? null;
}

/** The context of this name. Throws a not-found error with the nearest one. */
export function requireContext(all: Contexts, name: string): Context {
  const context = findContext(all, name);
  if (context) return context;
  const meant = nearest(
    name,
    all.contexts.map((one) => one.name),
  );
  const hint = meant ? didYouMean(meant) : " `platformctl context list` shows those there are.";
  throw new CliError(exit.notFound, `there is no context ${name}.${hint}`, {
    code: "CONTEXT_NOT_FOUND",
  });
}

/** Throws a usage error for what cannot name a context. */
export function requireContextName(name: string): string {
  if (/^[A-Za-z0-9[][\w.:@[\]-]{0,99}$/.test(name)) return name;
  throw usageError(
    "--name must be 1 to 100 letters, digits and . _ : @ - and begin with a letter or digit.",
  );
}

function contextsFile(folder: string): string {
  return join(folder, "contexts.json");
}

function parse(file: string, text: string | null): Contexts {
  if (text === null) return empty();
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw unusable(broken(file, "it is not JSON"));
  }
  const parsed = contextsSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw unusable(broken(file, `${issue?.path.join(".") || "the whole"}: ${issue?.message}`));
}

function broken(file: string, why: string): string {
  return `${file} does not hold contexts (${why}): mend it, or remove it and sign in again.`;
}

function empty(): Contexts {
  return { current: null, contexts: [] };
}

function attempt<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw fileFailure(file, error);
  }
}

function fileFailure(file: string, error: unknown): unknown {
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (code === undefined || syscall === undefined) return error;
  return unusable(`${file} cannot be used: ${reasons[code] ?? code}.`);
}

const reasons: Record<string, string> = {
  EACCES: "permission denied",
  EPERM: "it belongs to somebody else",
  EISDIR: "it is a folder",
  ENOTDIR: "a part of its path is not a folder",
  ENOSPC: "the disk is full",
  EROFS: "the disk is read-only",
};

function unusable(message: string): CliError {
  return new CliError(exit.failed, message, { code: "CONTEXTS_UNUSABLE" });
}
