// Checks the server's health, version and clock; if no server runs, whether one could listen.

import { createServer } from "node:net";
import { isoTime } from "../../../../lib/iso-time.ts";
import { printableLine } from "../../../output/printable.ts";
import {
  type Check,
  clockSlackMs,
  clockWarning,
  type Finding,
  failure,
  ok,
  skipped,
  warning,
} from "./check.ts";
import type { FileSubject, Subject } from "./subject.ts";

/** A clock outside these limits is certainly wrong. */
const earliest = Date.UTC(2025, 0);
const latest = Date.UTC(2100, 0);

export const serverChecks: Check[] = [
  { name: "server", doing: "asking the server", run: checkServer },
  { name: "version", doing: "asking the server", run: checkVersion },
  { name: "clock", doing: "comparing clocks", run: checkClock },
];

const seeOthers = "See the server's log, and the disk and database checks above.";
/** Advice by the reason of the server's status. */
const adviceBy: Record<string, string> = {
  AUDIT_BROKEN: "See the audit trail check above.",
  DATA_LOST: "Follow the steps in the guide to clusters: platform docs cluster.",
};

async function checkServer(subject: Subject): Promise<Finding> {
  const response = await subject.response();
  if (response === null) return skipped("the configuration is invalid");
  if (response.problem === null) {
    const found = `${response.url} is ${response.status}`;
    const own = await subject.installationId();
    const { installationId } = response;
    if (own !== null && installationId !== undefined && installationId !== own) {
      return warning(
        `${response.url} responds, but it has another audit key, so it uses another database`,
        "Give the address of this database's server with --server URL or with the flags of serve, or start one.",
      );
    }
    if (response.status !== "UP") {
      const advice = adviceBy[response.reason ?? ""] ?? seeOthers;
      return failure(response.why === null ? found : `${found}: ${response.why}`, advice);
    }
    if (subject.place.kind === "postgresql" || subject.server !== null) return ok(found);
    if ((await subject.lastServer()).isRunning !== false) return ok(found);
    return warning(
      `${response.url} responds, but no process has opened this database`,
      "The server uses another database: give the right address, or start a server on this database.",
    );
  }
  if (response.refused && subject.server === null) return checkPort(subject);
  const advice = response.refused
    ? "Start it (platform serve), or give the right address with --server."
    : "Check that a platform server responds at this address. If it has another address or a private CA, specify them with --server and --ca-file.";
  return failure(response.problem, advice);
}

async function checkPort(subject: Subject): Promise<Finding> {
  const { config, place } = subject;
  if (config === null) return skipped("the configuration is invalid");
  const { host, port } = config;
  const { isRunning, ended } = await subject.lastServer();
  if (isRunning === null) {
    return skipped("no server responds, and the database's lock cannot be opened");
  }
  if (isRunning && place.kind === "file") {
    return warning(
      `the database is in use, but no server responds at ${host}:${port}`,
      "If the server listens elsewhere, give its port with --port, or its address with --server URL.",
    );
  }
  const found = [isRunning ? "servers of this database run elsewhere" : "no server is running"];
  if (ended) {
    const at = ended.lastSeenAt === null ? "" : ` at about ${isoTime(ended.lastSeenAt)}`;
    found.push(`${printableLine(ended.who)} ended without a shutdown${at}`);
  }
  const problem = await problemOfListening(host, port);
  if (problem === "EACCES") {
    return warning(
      `${found.join("; ")}; this user may not listen at ${host}:${port}`,
      "A port below 1024 needs a capability (a comment in platform.service shows how to set it). Or choose another port with --port.",
    );
  }
  if (problem !== null) {
    return failure(
      `${found.join("; ")}; ${host}:${port} is not available (${problem})`,
      "Choose another address with --host and --port.",
    );
  }
  if (ended === null) return ok(`${found[0]}; ${host}:${port} is free`);
  return warning(
    found.join("; "),
    "Start it (platform serve). The log of the host may say why it ended, such as a lack of memory.",
  );
}

function problemOfListening(host: string, port: number): Promise<string | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen(port, host, () => server.close(() => resolve(null)));
  });
}

async function checkVersion(subject: Subject): Promise<Finding> {
  const response = await subject.response();
  if (!response || response.problem !== null) return skipped("no server responds");
  if (response.version === subject.version) return ok(`the server is also ${response.version}`);
  return warning(
    `the server has version ${response.version}, but this program has ${subject.version}`,
    "Restart the server with this program, or use the server's program.",
  );
}

async function checkClock(subject: Subject): Promise<Finding> {
  const now = subject.io.now();
  const setIt = "Set the clock of this host (timedatectl set-ntp true), then restart the server.";
  if (now < earliest || now > latest)
    return failure(`this host's clock says ${isoTime(now)}`, setIt);
  const response = await subject.response();
  const ahead = response?.problem === null ? response.clockAheadMs : 0;
  const difference = clockWarning("the server's", ahead, "Set both clocks with NTP.");
  if (difference !== null) return difference;
  const newest = await newestEventOf(subject);
  if (newest !== null && newest > now + clockSlackMs) {
    return failure(`the newest audit event has a future time: ${isoTime(newest)}`, setIt);
  }
  return ok(isoTime(now));
}

/** On PostgreSQL, times come from the database's clock, which has its own check. */
async function newestEventOf(subject: Subject | FileSubject): Promise<number | null> {
  if (!("facts" in subject)) return null;
  const facts = await subject.facts();
  return typeof facts === "string" ? null : facts.newestEventAt;
}
