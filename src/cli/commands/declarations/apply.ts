// `apply`: reads declarations, shows what they would change, asks, and sends them in one request.

import type { Body } from "../../../api/index.ts";
import type { Client } from "../../../client/client.ts";
import { maxDeclarations } from "../../../domain/limits.ts";
import { capitalized } from "../../../lib/capitalized.ts";
import type { Invocation } from "../../command.ts";
import { exit, usageError } from "../../exit.ts";
import { isForPeople } from "../../output/output.ts";
import { confirmOrRefuse } from "../../terminal/prompts.ts";
import { givenBypass, runQuestion } from "../../waiting-flags.ts";
import { deletedBy, ignoredIn, type Loss, noteLosses } from "../settings/losses.ts";
import { asPreview, type Changes, countsOf, isChange, printChanges, waitingIn } from "./changes.ts";
import { type Documents, mistakes, problemsIn, readDocuments } from "./documents.ts";

type Request = Body<"declarations.preview">;

export async function applyDeclarations(invocation: Invocation): Promise<number> {
  const { io, options, signal, client } = invocation;
  const paths = pathsOf(options);
  if (options.diff && !isForPeople(options)) {
    throw usageError(
      "--diff is for people: other formats have `before` and `after` of each change.",
    );
  }
  if (options.exitCode && !options.dryRun) {
    throw usageError("--exit-code is for --dry-run: an apply exits with 0 when it has succeeded.");
  }
  const read = await readDocuments(
    io,
    { paths, followsLinks: options.followLinks === true },
    signal,
  );
  requireDocuments(paths, read);
  const request: Request = {
    set: options.set as string,
    documents: read.documents.map(({ sent }) => sent),
    prune: options.prune === true,
  };
  const api = await client();
  if (read.problems.length > 0) throw mistakes(await allProblems(api, request, read));
  const send = (plan?: string) => {
    const given = plan === undefined ? {} : { plan };
    return apply(api, read, { ...request, ...given, ...givenBypass(options) });
  };
  if (options.dryRun) {
    const changes = await preview(api, read, request);
    await printChanges(io, options, changes, "toDo");
    noteLosses(io, options, lossesIn(changes));
    note(invocation, `Dry run: ${countsOf(changes, "toDo")}.`);
    if (options.exitCode && changes.changes.some(isChange)) return exit.found;
  } else if (options.yes) {
    const hasSettings = request.documents.some(({ document }) => document.kind === "Settings");
    if (hasSettings) {
      noteLosses(io, options, lossesIn(await preview(api, read, request)));
    }
    const changes = await send();
    await printChanges(io, options, changes, "done");
    note(invocation, `${countsOf(changes, "done")}.`);
  } else {
    const changes = await previewAndAsk(invocation, () => preview(api, read, request));
    const applied = await send(changes.plan);
    if (!isForPeople(options)) await printChanges(io, options, applied, "done");
    note(invocation, `${countsOf(applied, "done")}.`);
    // Policies may have changed since the preview.
    const shown = new Set(waitingIn(changes));
    for (const line of waitingIn(applied)) if (!shown.has(line)) note(invocation, line);
  }
  return exit.done;
}

function pathsOf({ file }: Record<string, unknown>): string[] {
  if (Array.isArray(file) && file.length > 0) return file as string[];
  throw usageError("give the declarations: -f FILE, -f FOLDER, or -f - for standard input.");
}

function requireDocuments(paths: readonly string[], { documents, problems }: Documents): void {
  if (documents.length > maxDeclarations) {
    throw usageError(
      `there are ${documents.length} declarations; one apply can have ${maxDeclarations}: use several sets.`,
    );
  }
  if (documents.length > 0 || problems.length > 0) return;
  const many = paths.length > 1;
  throw usageError(
    `${paths.join(", ")} ${many ? "contain" : "contains"} no declarations: a folder needs *.yaml, *.yml or *.json files.`,
  );
}

/** Adds the mistakes that the server finds in the documents that could be read. */
async function allProblems(api: Client, request: Request, read: Documents) {
  const { problems, documents } = read;
  try {
    await api.call("declarations.preview", { body: { ...request, prune: false } });
    return problems;
  } catch (error) {
    return [...problems, ...(problemsIn(error, documents) ?? [])];
  }
}

async function preview(api: Client, read: Documents, body: Request): Promise<Changes> {
  return withPlaces(read, () => api.call("declarations.preview", { body }));
}

async function apply(api: Client, read: Documents, body: Body<"declarations.apply">) {
  return withPlaces(read, () => api.call("declarations.apply", { body }));
}

async function withPlaces<T>({ documents }: Documents, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    const problems = problemsIn(error, documents);
    throw problems ? mistakes(problems) : error;
  }
}

/** Does not ask if there is nothing to change. */
async function previewAndAsk(
  { io, options }: Invocation,
  load: () => Promise<Changes>,
): Promise<Changes> {
  const changes = await load();
  if (!changes.changes.some(isChange)) return changes;
  const bypass = givenBypass(options);
  const shown = bypass.breakGlass === undefined ? changes : withoutWaiting(changes);
  await printChanges(
    asPreview(io, options),
    { ...options, output: peopleFormat(options) },
    shown,
    "toDo",
  );
  noteLosses(io, options, lossesIn(changes));
  const what = `Apply this to the set ${changes.set}: ${countsOf(changes, "toDo")}`;
  const question = runQuestion(what, bypass);
  await confirmOrRefuse(io, question, false);
  return changes;
}

/** With a bypass, nothing waits for approval. A preview does not know about the bypass. */
function withoutWaiting(preview: Changes): Changes {
  const changes = preview.changes.map((each) => ({ ...each, awaitingApproval: false }));
  return { ...preview, changes };
}

function lossesIn({ changes }: Changes): Loss[] {
  const updated = changes.find(({ kind, change }) => kind === "Settings" && change === "updated");
  if (!updated) return [];
  const valuesOf = (form: object | null | undefined) => Object(form).settings ?? {};
  const deleted = deletedBy(valuesOf(updated.before), valuesOf(updated.after));
  return [...deleted, ...ignoredIn(updated.warnings)];
}

function peopleFormat({ output = "table" }: Invocation["options"]) {
  return output === "wide" ? output : "table";
}

function note({ io, options }: Pick<Invocation, "io" | "options">, text: string): void {
  if (isForPeople(options)) io.note(`${capitalized(text)}\n`);
}
