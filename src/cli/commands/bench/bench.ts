// `platform bench`: measures a server with simulated agents, and deletes them afterwards.
// (docs/performance.md)

import { randomBytes } from "node:crypto";
import { accessSync, constants, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { Client } from "../../../client/client.ts";
import { Unreachable, Untrusted } from "../../../client/unreachable.ts";
import { counted } from "../../../lib/counted.ts";
import { isoTime } from "../../../lib/iso-time.ts";
import { orAborted } from "../../../lib/time-limit.ts";
import type { Invocation } from "../../command.ts";
import { CliError, exit } from "../../exit.ts";
import { printFactSheet } from "../../output/fact-sheet.ts";
import { isForPeople } from "../../output/output.ts";
import { Interrupted } from "../../terminal/interrupted.ts";
import { noteLine } from "../../terminal/notes.ts";
import { startProgress } from "../../terminal/progress.ts";
import { operatorRequests } from "./capacity-limits.ts";
import { cleanUp } from "./cleanup.ts";
import { htmlPage } from "./html-page.ts";
import { LoadProcesses } from "./load-processes.ts";
import { type Measuring, measure } from "./measure.ts";
import { destinationOf, inspectServer, requireRights, type ServerState } from "./preflight.ts";
import { type Measurement, reportOf, sheetForPeople } from "./report.ts";
import { type BenchSettings, settingsOf } from "./settings.ts";

/** A registration that takes longer is announced before it starts. */
const longSeconds = 20;

export async function runBench(invocation: Invocation): Promise<number> {
  const { io, options } = invocation;
  const settings = settingsOf(options);
  const destination = await destinationOf(invocation);
  if (settings.htmlFile !== null) requireFolder(settings.htmlFile);
  using interruption = listenForSignals((message) => noteLine(io, options, "INTERRUPTED", message));
  const { signal } = interruption;
  const client = await invocation.client();
  if (settings.clean) {
    await orAborted(requireRights(client).catch(inOtherWords), signal);
    await cleanAll(invocation, client);
    return exit.done;
  }
  const surveying = inspectServer(invocation, client, destination, settings).catch(inOtherWords);
  const ground = await orAborted(surveying, signal);
  announceLongRegistration(invocation, settings, ground);
  return await runOn(invocation, client, settings, ground, interruption);
}

async function runOn(
  invocation: Invocation,
  client: Client,
  settings: BenchSettings,
  ground: ServerState,
  interruption: Interruption,
): Promise<number> {
  const { io, options } = invocation;
  const { signal } = interruption;
  const run = randomBytes(4).toString("hex");
  const crew = new LoadProcesses();
  interruption.onSecond = `The agents of this run stay on the server: delete them with platform bench --clean.`;
  try {
    using progress = startProgress(io, "starting");
    const measurement = await measureAndStop({
      run,
      client,
      settings,
      ground,
      crew,
      progress,
      signal,
    });
    const report = reportOf(measurement);
    const isSheet = isForPeople(options) && !options.columns;
    printFactSheet(io, options, isSheet ? sheetForPeople(report) : report, run);
    if (isSheet) io.out(`\n${report.summary}\n`);
    if (settings.htmlFile !== null) {
      writeFileSync(settings.htmlFile, htmlPage(report, isoTime(io.now())));
    }
  } finally {
    await cleanRun(invocation, client, run, ground, signal);
  }
  return signal.aborted ? exit.interrupted : exit.done;
}

/** Afterwards, the agents are OFFLINE, even after a failure. */
async function measureAndStop(measuring: Measuring): Promise<Measurement> {
  const { crew, progress, signal } = measuring;
  try {
    return await measure(measuring);
  } finally {
    progress.say(`stopping the agents${secondSignal(signal)}`);
    await crew.stop();
  }
}

async function cleanRun(
  { io, options }: Invocation,
  client: Client,
  run: string,
  { requestsPerSecond }: ServerState,
  signal: AbortSignal,
): Promise<void> {
  using progress = startProgress(io, "deleting the agents of this run");
  try {
    await cleanUp(client, {
      run,
      requestsPerSecond,
      onProgress: (done, all) => progress.say(`deleting: ${done} of ${all}${secondSignal(signal)}`),
    });
  } catch (error) {
    const message = `The agents of this run could not be deleted (${(error as Error).message}). Delete them with platform bench --clean.`;
    noteLine(io, options, "NOT_CLEAN", message);
  }
}

function secondSignal({ aborted }: AbortSignal): string {
  return aborted ? " (Ctrl-C again leaves the rest on the server)" : "";
}

async function cleanAll({ io, options }: Invocation, client: Client): Promise<void> {
  const { perClient } = (await client.call("diagnostics.get")).limits;
  const requestsPerSecond = operatorRequests(perClient.requestsPerSecond);
  using progress = startProgress(io, "looking for agents of earlier runs");
  const deleted = await cleanUp(client, {
    run: null,
    requestsPerSecond,
    onProgress: (done, all) => progress.say(`deleting: ${done} of ${all}`),
  });
  printFactSheet(io, options, { deleted }, "deleted");
}

function announceLongRegistration(
  { io, options }: Invocation,
  { agents }: BenchSettings,
  { diagnostics, requestsPerSecond }: ServerState,
): void {
  const seconds = requestsPerSecond === null ? 0 : Math.ceil(agents / requestsPerSecond);
  if (seconds <= longSeconds) return;
  const { requestsPerSecond: allowed } = diagnostics.limits.perClient;
  const message = `Registering ${counted(agents, "agent")} takes at least ${seconds} s and deleting them ${2 * seconds} s, because the server accepts ${allowed} requests per second with one credential. PLATFORM_MAX_REQUESTS_PER_SECOND=0 on the server removes the limit.`;
  noteLine(io, options, "SLOW_REGISTRATION", message);
}

function requireFolder(file: string): void {
  try {
    accessSync(dirname(resolve(file)), constants.W_OK);
  } catch {
    throw new CliError(exit.usage, `--html: the folder of ${file} cannot be written.`, {
      code: "USAGE",
    });
  }
}

/** The usual advice to use --db does not help here. */
function inOtherWords(error: unknown): never {
  if (!(error instanceof Unreachable) || error instanceof Untrusted) throw error;
  const message = `${error.message}: is \`platform serve\` running there?`;
  throw new CliError(exit.unreachable, message, { code: "UNREACHABLE" });
}

interface Interruption extends Disposable {
  signal: AbortSignal;
  /** Printed when a second signal ends the program: what stays on the server. */
  onSecond: string;
}

/**
 * A signal this soon after the first one is the same Ctrl-C: the terminal sends it to this program,
 * and wrappers such as timeout(1) pass it on again.
 */
const sameSignalMs = 500;

/** The first signal aborts, and the second ends the program. */
function listenForSignals(note: (message: string) => void): Interruption {
  const controller = new AbortController();
  const names = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  let firstAt = 0;
  const interruption: Interruption = {
    signal: controller.signal,
    onSecond: "",
    [Symbol.dispose]() {
      for (const name of names) process.off(name, onSignal);
    },
  };
  function onSignal(): void {
    if (!controller.signal.aborted) {
      firstAt = performance.now();
      controller.abort(new Interrupted());
      return;
    }
    if (performance.now() - firstAt < sameSignalMs) return;
    if (interruption.onSecond !== "") note(interruption.onSecond);
    process.exit(exit.interrupted);
  }
  for (const name of names) process.on(name, onSignal);
  return interruption;
}
