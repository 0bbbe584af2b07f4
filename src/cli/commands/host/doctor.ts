// `platform doctor`: checks everything that a server needs, changes no data, and says what to do.

import type { Invocation } from "../../command.ts";
import { exit } from "../../exit.ts";
import { printWhole } from "../../output/listing.ts";
import { isForPeople, type ListView } from "../../output/output.ts";
import { startProgress } from "../../terminal/progress.ts";
import { type Check, type Finding, failure, skipped } from "./doctor/check.ts";
import { databaseChecks } from "./doctor/database.ts";
import { fileChecks } from "./doctor/files.ts";
import { packagedChecks } from "./doctor/packaged-file.ts";
import { programChecks } from "./doctor/program.ts";
import { serverChecks } from "./doctor/server.ts";
import { admit, type FileSubject, fileFactsOf, type Subject } from "./doctor/subject.ts";

interface NamedFinding extends Finding {
  check: string;
}

/** A check that is bound to its subject. */
interface Prepared extends Pick<Check, "name" | "doing"> {
  isDenied: boolean;
  run: () => Promise<Finding> | Finding;
}

function prepared<P extends Subject>(checks: Check<P>[], subject: P, isDenied = false): Prepared[] {
  return checks.map(({ name, doing, needsAccess = false, run }) => {
    return { name, doing, isDenied: isDenied && needsAccess, run: () => run(subject) };
  });
}

/** Returns the checks for this kind of database, in their order. */
async function checksOf(admitted: Subject): Promise<Prepared[]> {
  const { place } = admitted;
  const first = [...programChecks, ...packagedChecks];
  if (place.kind === "file") {
    const subject = { ...admitted, ...fileFactsOf(place, admitted) };
    const isDenied = subject.denied !== null;
    const checks = [...first, ...fileChecks, ...databaseChecks, ...serverChecks];
    return prepared<FileSubject>(checks, subject, isDenied);
  }
  const { postgresChecks, surveyOf } = await import("./doctor/postgresql.ts");
  return [
    ...prepared(first, admitted),
    ...prepared(postgresChecks, { ...admitted, ...surveyOf(place, admitted) }),
    ...prepared(serverChecks, admitted),
  ];
}

const view: ListView<NamedFinding> = {
  columns: [
    { name: "state", value: (finding) => finding.state, kind: "state" },
    { name: "check", value: (finding) => finding.check, kind: "key" },
    { name: "found", value: (finding) => finding.found, kind: "prose" },
    { name: "advice", value: (finding) => finding.advice, wide: true },
  ],
  nameOf: (finding) => finding.check,
  whenEmpty: "There are no checks.",
};

export async function runDoctor(invocation: Invocation): Promise<number> {
  const { io, options, signal } = invocation;
  const findings: NamedFinding[] = [];
  {
    using progress = startProgress(io, "checking");
    for (const { name, doing, isDenied, run } of await checksOf(await admit(invocation))) {
      signal.throwIfAborted();
      progress.say(doing);
      const finding = isDenied
        ? skipped("this user cannot open the folder or the database")
        : await findingOf(run, signal);
      findings.push({ check: name, ...finding });
    }
  }
  printWhole(invocation, findings, view);
  if (isForPeople(options)) io.note(`\n${whatToDo(findings)}\n`);
  return findings.some(({ state }) => state === "FAILURE") ? exit.failed : exit.done;
}

/** An unexpected error must not hide the other findings. */
async function findingOf(run: Prepared["run"], signal: AbortSignal): Promise<Finding> {
  try {
    return await run();
  } catch (error) {
    signal.throwIfAborted();
    return failure((error as Error).message, "Fix this, then run this command again.");
  }
}

function whatToDo(findings: NamedFinding[]): string {
  const toDo = findings.filter(({ advice }) => advice !== null);
  if (toDo.length === 0) return "No problems found.";
  return ["What to do:", ...toDo.map(({ check, advice }) => `  ${check}: ${advice}`)].join("\n");
}
