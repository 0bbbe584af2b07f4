import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { consoleListing, hasProjectFile } from "../../../lib/files/project-files.ts";
import type { Invocation } from "../../command.ts";
import { exit } from "../../exit.ts";
import { Interrupted } from "../../terminal/interrupted.ts";
import type { Io } from "../../terminal/io.ts";
import { fileIn, postgresDatabase } from "./database.ts";
import { Stage } from "./stage.ts";
import { runStory } from "./story.ts";

export async function runDemo({ io, run, options }: Invocation): Promise<number> {
  const interruption = new AbortController();
  const { signal } = interruption;
  const interrupt = () => interruption.abort(new Interrupted());
  process.once("SIGINT", interrupt).once("SIGTERM", interrupt);
  const folder = mkdtempSync(join(tmpdir(), "platform-demo-"));
  await using cleanup = new AsyncDisposableStack();
  cleanup.defer(() => rmSync(folder, { recursive: true, force: true }));
  const database = options.postgresql
    ? await postgresDatabase(io.env.DATABASE_URL, folder)
    : fileIn(join(folder, "data"));
  const stage = new Stage({ io, run }, folder, database, signal);
  cleanup.defer(() => stage.clear());
  const started = performance.now();
  let failure: Error | null = null;
  try {
    await runStory(stage);
    if (options.keep) await stage.revive();
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    failure = error as Error;
    showLogs(io, stage);
  }
  if (options.keep && !failure) {
    leaveRunning(io, stage);
    cleanup.move();
  } else await cleanup.disposeAsync();
  return summarize(io, stage, failure, (performance.now() - started) / 1000);
}

function summarize(io: Io, { checks }: Stage, failure: Error | null, seconds: number): number {
  const failed = checks.filter(({ passed }) => !passed);
  const passed = checks.length - failed.length;
  io.out(`\n${passed} of ${checks.length} checks passed, in ${seconds.toFixed(1)} s.\n`);
  for (const check of failed) io.out(`  failed: ${check.what}\n`);
  if (failure) io.out(`The demo stopped early: ${failure.message}\n`);
  return failure || failed.length > 0 ? exit.failed : exit.done;
}

function showLogs(io: Io, { programs }: Stage): void {
  for (const program of programs) {
    const lines = program.output().trimEnd().split("\n").slice(-15);
    io.note(
      `\nthe last log lines of ${program.name}:\n${lines.map((line) => `  ${line}\n`).join("")}`,
    );
  }
}

function leaveRunning(io: Io, { programs, url, apiKey, folder, owner }: Stage): void {
  const running = programs.filter((program) => program.running());
  for (const program of running) program.release();
  const inBrowser = `In a browser, the console:
  ${url}/
  sign in as ${owner.username} with the password ${owner.password}

`;
  io.out(`
Everything keeps running:
${running.map(({ name, pid }) => `  ${name.padEnd(10)} process ${pid}`).join("\n")}

${hasProjectFile(consoleListing) ? inBrowser : ""}To continue:
  export PLATFORM_URL=${url} PLATFORM_API_KEY=${apiKey}
  platformctl services list

To end everything:
  kill ${running.map(({ pid }) => pid).join(" ")} && rm -r ${folder}
`);
}
