// The floor of a durable request: the CPU time for writing its rows, without HTTP and without the
// server's code.

import { rmSync } from "node:fs";
import Database from "better-sqlite3";
import { type Agent, insertRunningCommands } from "./fixtures.ts";
import type { FloorKind, FloorReport, FloorTask } from "./floor-process.ts";
import { startHelper } from "./helper-process.ts";
import type { Subject } from "./subject.ts";

/** More than any machine writes by hand in a second. */
const mostPerSecond = 60_000;

export interface FloorOptions {
  kind: FloorKind;
  subject: Pick<Subject, "databaseFile">;
  agents: Agent[];
  seconds: number;
  signal: AbortSignal;
  /** Tests look into the copy before it is removed. */
  onWritten?: (file: string) => void;
}

/**
 * Writes for `seconds` into a copy of the server's database. A group has one request for each
 * agent, like the groups of a server with one connection for each agent. The server must have
 * served such requests before.
 */
export async function measureFloor(options: FloorOptions): Promise<FloorReport> {
  const { kind, subject, agents, seconds, signal } = options;
  const file = `${subject.databaseFile}-floor`;
  const remove = () => {
    for (const ending of ["", "-wal", "-shm"]) rmSync(`${file}${ending}`, { force: true });
  };
  const helper = startHelper<FloorTask, FloorReport>("floor-process.ts", signal);
  try {
    remove();
    const database = new Database(subject.databaseFile, { timeout: 10_000 });
    database.prepare("VACUUM INTO ?").run(file);
    database.close();
    const first = 10 ** 9; // no round on the server reaches these numbers
    if (kind === "result") {
      const end = first + agents.length + Math.ceil(mostPerSecond * seconds);
      insertRunningCommands(file, agents, { first, end });
    }
    helper.send({ kind, file, seconds, group: agents.length, first });
    const report = await helper.message();
    options.onWritten?.(file);
    return report;
  } finally {
    await helper.stop();
    remove();
  }
}
