// Contexts: named servers that a user has signed in to, with sessions but never a password.

import { join } from "node:path";
import { z } from "zod";
import { withIssueWords } from "../../api/contract/issue-words.ts";
import { fileProblem } from "../../lib/files/file-problem.ts";
import { didYouMean, nearest } from "../../lib/nearest.ts";
import { CliError, exit, usageError } from "../exit.ts";
import type { Io } from "../terminal/io.ts";
import { readPrivateFile, replacePrivateFile } from "./contexts-file.ts";

const sessionSchema = z.object({
  /** The session cookie as `name=value`. */
  cookie: z.string(),
  csrfToken: z.string(),
  /** The expiry time that the server last reported. Using the session extends it. */
  expiresAt: z.string().nullable(),
});

const contextSchema = z.looseObject({
  name: z.string(),
  /** The session is never sent to any other server. */
  server: z.url({ protocol: /^https?$/ }),
  /** The certificates themselves in PEM, because a file could move or change. */
  ca: z.string().nullable(),
  username: z.string(),
  /** Null if signed out. */
  session: sessionSchema.nullable(),
});

const contextsSchema = z.looseObject({
  current: z.string().nullable(),
  contexts: z.array(contextSchema),
});

export type Session = z.infer<typeof sessionSchema>;
export type Context = z.infer<typeof contextSchema>;
export type Contexts = z.infer<typeof contextsSchema>;

/** Throws CONTEXTS_UNUSABLE. */
export function readContexts(io: Io): Contexts {
  if (io.configFolder === null) return empty();
  const file = join(io.configFolder, "contexts.json");
  try {
    return parse(file, readPrivateFile(io, file));
  } catch (error) {
    throw fileFailure(file, error);
  }
}

/** Writes the changed contexts back. Throws CONTEXTS_UNUSABLE. */
export async function changeContexts<T>(io: Io, change: (contexts: Contexts) => T): Promise<T> {
  if (io.configFolder === null) {
    throw unusable("there is no folder for contexts: set HOME or XDG_CONFIG_HOME.");
  }
  const file = join(io.configFolder, "contexts.json");
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

export function requireContext(all: Contexts, name: string): Context {
  const context = findContext(all, name);
  if (context) return context;
  const names = all.contexts.map((one) => one.name);
  const similar = nearest(name, names);
  const hint = similar ? didYouMean(similar) : " See `platformctl context list`.";
  const message = `there is no context ${name}.${hint}`;
  throw new CliError(exit.notFound, message, { code: "CONTEXT_NOT_FOUND" });
}

export function requireContextName(name: string): string {
  if (/^[A-Za-z0-9[][\w.:@[\]-]{0,99}$/.test(name)) return name;
  throw usageError(
    "--name must have 1 to 100 letters, digits and . _ : @ - and begin with a letter or digit.",
  );
}

/** Warns if commands will not use the context, although it is the current one. */
export function noteOverrides(io: Io, name: string): void {
  const { DB, URL, CONTEXT, API_KEY } = io.env;
  const where = DB ? "PLATFORM_DB" : URL ? "PLATFORM_URL" : null;
  const other = CONTEXT && CONTEXT !== name ? "PLATFORM_CONTEXT" : null;
  const override = where ?? other;
  if (override) io.note(`${override} is set, and overrides the current context.\n`);
  if (API_KEY) io.note("PLATFORM_API_KEY is set, and overrides this session.\n");
}

function parse(file: string, text: string | null): Contexts {
  if (text === null) return empty();
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw unusable(broken(file, "it is not JSON"));
  }
  const parsed = contextsSchema.safeParse(value, withIssueWords);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw unusable(broken(file, `${issue?.path.join(".") || "the whole file"}: ${issue?.message}`));
}

function broken(file: string, why: string): string {
  return `${file} has no valid contexts (${why}): repair it, or remove it and sign in again.`;
}

function empty(): Contexts {
  return { current: null, contexts: [] };
}

function fileFailure(file: string, error: unknown): unknown {
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (code === undefined || syscall === undefined) return error;
  return unusable(`${file} cannot be used: ${fileProblem(error)}.`);
}

function unusable(message: string): CliError {
  return new CliError(exit.failed, message, { code: "CONTEXTS_UNUSABLE" });
}
