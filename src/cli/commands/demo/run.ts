// `platform demo`: sets the stage on a throw-away folder, plays the story, clears up, and says how it
// went. Ends 0 when every check held.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { consoleListing, hasProjectFile } from "../../../lib/files/project-files.ts";
import type { Invocation } from "../../command.ts";
import { exit } from "../../exit.ts";
import { Interrupted } from "../../terminal/interrupted.ts";
import type { Io } from "../../terminal/io.ts";
import type { Program } from "./processes.ts";
import { Stage } from "./stage.ts";
import { playStory } from "./story.ts";

export async function runDemo({ io, options }: Invocation): Promise<number> {
  const keep = options.keep === true;
  const folder = mkdtempSync(join(tmpdir(), "platform-demo-"));
  const interruption = new AbortController();
  const stage = new Stage(io, folder, interruption.signal);
  const started = performance.now();
  const interrupt = () => interruption.abort(new Interrupted());
  process.once("SIGINT", interrupt);
  process.once("SIGTERM", interrupt);
  let failure: unknown = null;
  try {
    await playStory(stage);
    if (keep) await stage.revive();
  } catch (error) {
    failure = interruption.signal.aborted ? interruption.signal.reason : error;
  }
  if (failure && !(failure instanceof Interrupted)) showLogs(io, stage.programs);
  if (keep && !failure) {
    sayWhere(io, stage);
  } else {
    await stage.clear();
    rmSync(folder, { recursive: true, force: true });
  }
  if (failure instanceof Interrupted) throw failure;
  return summarize(io, stage, failure, (performance.now() - started) / 1000);
}

function summarize(io: Io, stage: Stage, failure: unknown, seconds: number): number {
  const failed = stage.checks.filter((check) => !check.held);
  const held = stage.checks.length - failed.length;
  io.out(`\n${held} of ${stage.checks.length} checks held, in ${seconds.toFixed(1)} s.\n`);
  for (const check of failed) io.out(`  not so: ${check.what}\n`);
  if (failure) io.out(`The demo broke off: ${(failure as Error).message}\n`);
  return failure || failed.length > 0 ? exit.failed : exit.done;
}

function showLogs(io: Io, programs: Program[]): void {
  for (const program of programs) {
    const lines = program.output().trimEnd().split("\n").slice(-15);
    io.note(`\n${program.name}, its last words:\n${lines.map((line) => `  ${line}\n`).join("")}`);
  }
}

function sayWhere(io: Io, stage: Stage): void {
  const living = stage.programs.filter((program) => program.running());
  for (const program of living) program.release();
  io.out(`
Everything keeps running:
${living.map((program) => `  ${program.name.padEnd(10)} process ${program.pid}`).join("\n")}

${hasProjectFile(consoleListing) ? consoleLines(stage) : ""}Go on by yourself:
  export PLATFORM_URL=${stage.url} PLATFORM_API_KEY=${stage.apiKey}
  platformctl services list

End it all:
  kill ${living.map((program) => program.pid).join(" ")} && rm -r ${stage.folder}
`);
}

function consoleLines({ url, owner }: Stage): string {
  return `In a browser, the console:
  ${url}/
  sign in as ${owner.username} with the password ${owner.password}

`;
}
