// Is the server in order: does it answer, is it this program, do the clocks agree? Without one: could it
// listen?

import { createServer } from "node:net";
import { isoTime } from "../../../../lib/iso-time.ts";
import { type Check, type Finding, failure, ok, type Patient, skipped, warning } from "./check.ts";

/** Between these no clock of a host is wrong by years. */
const earliest = Date.UTC(2025, 0);
const latest = Date.UTC(2100, 0);
/** An answer takes its time, too. */
const clockSlackMs = 5000;

export const serverChecks: Check[] = [
  { name: "server", doing: "asking the server", run: checkServer },
  { name: "version", doing: "asking the server", run: checkVersion },
  { name: "clock", doing: "comparing clocks", run: checkClock },
];

async function checkServer(patient: Patient): Promise<Finding> {
  const answer = await patient.answer();
  if (answer === null) return skipped("the configuration cannot be used");
  if (answer.problem === null) {
    const found = `${answer.url} is ${answer.status}`;
    if (patient.server === null && !(await isInUse(patient.place.file))) {
      return warning(
        `${answer.url} answers, but nobody has this database open`,
        "It is another server, on another database: name the right address, or start this one.",
      );
    }
    if (answer.status === "UP") return ok(found);
    const advice = "Its log says why; the checks of disk and database above may, too.";
    return failure(answer.why === null ? found : `${found}: ${answer.why}`, advice);
  }
  if (answer.refused && patient.server === null) return checkPort(patient);
  const advice = answer.refused
    ? "Start it (platform serve), or name the right address with --server."
    : "Is it this program that listens there? Name its address with --server URL, its CA with --ca-file.";
  return failure(answer.problem, advice);
}

/** Nobody listens: may we? */
async function checkPort({ config, place }: Patient): Promise<Finding> {
  if (config === null) return skipped("the configuration cannot be used");
  const { host, port } = config;
  if (await isInUse(place.file)) {
    return warning(
      `the database is in use, but no server answers at ${host}:${port}`,
      "If a server runs elsewhere, name its address with --server URL, or as serve was told it.",
    );
  }
  const problem = await problemOfListening(host, port);
  if (problem === null) return ok(`none runs; ${host}:${port} is free`);
  return failure(
    `none runs, and ${host}:${port} cannot be had (${problem})`,
    "Choose another with --host and --port.",
  );
}

/** Whoever starts just now waits the moment that this takes. */
async function isInUse(file: string): Promise<boolean> {
  const { claimDatabase, isLockable } = await import("../../../../store/engine/database-lock.ts");
  if (!isLockable(file)) return false;
  const lock = claimDatabase(file);
  lock?.release();
  return lock === null;
}

function problemOfListening(host: string, port: number): Promise<string | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen(port, host, () => server.close(() => resolve(null)));
  });
}

async function checkVersion(patient: Patient): Promise<Finding> {
  const answer = await patient.answer();
  if (!answer || answer.problem !== null) return skipped("no server answers");
  if (answer.version === patient.version) return ok(`the server is ${answer.version} as well`);
  return warning(
    `the server is ${answer.version}, this program ${patient.version}`,
    "Start the server again with this program, or use the server's.",
  );
}

async function checkClock(patient: Patient): Promise<Finding> {
  const now = patient.io.now();
  const setIt =
    "Set the clock of this host (timedatectl set-ntp true), then start the server again.";
  if (now < earliest || now > latest) return failure(`it is ${isoTime(now)} here`, setIt);
  const answer = await patient.answer();
  const ahead = answer?.problem === null ? answer.clockAheadMs : 0;
  if (Math.abs(ahead) > clockSlackMs) {
    const seconds = Math.round(Math.abs(ahead) / 1000);
    const way = ahead > 0 ? "ahead of" : "behind";
    return warning(`the server's clock is ${seconds} s ${way} this one`, "Set both by NTP.");
  }
  const facts = await patient.facts();
  const newest = typeof facts === "string" ? null : facts.newestEventAt;
  if (newest !== null && newest > now + clockSlackMs) {
    return failure(`the newest audit event is from the future, ${isoTime(newest)}`, setIt);
  }
  return ok(isoTime(now));
}
