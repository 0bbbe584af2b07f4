// Kills the server, or the command with --db, in the middle of an apply. Afterwards, either all its
// changes are there, with their audit rows, or none.

import { statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { stringify } from "yaml";
import { temporaryFolder } from "../../helpers/app.ts";
import { createKey } from "../../helpers/process/operator.ts";
import { type Program, startProgram, startServer } from "../../helpers/process/process.ts";
import { rowsIn } from "../../helpers/process/rows.ts";

const objects = 200;
/** How many times the file grows before the kill. */
const moments = [1, 2, 4];

function setOf(name: string): string {
  const documents = Array.from({ length: objects }, (_, at) =>
    stringify({ kind: "SavedView", name: `${name} ${at}`, noun: "agents" }),
  );
  const file = join(temporaryFolder(), `${name}.yaml`);
  writeFileSync(file, documents.join("---\n"));
  return file;
}

/** Resolves when the write-ahead log has grown this many times, or the program has ended. */
async function grown(log: string, times: number, { running }: Program): Promise<void> {
  const size = () => statSync(log, { throwIfNoEntry: false })?.size ?? 0;
  for (let last = size(), seen = 0; seen < times && running(); ) {
    const now = size();
    if (now !== last) seen++;
    last = now;
    await nextTurn();
  }
}

async function stored(file: string, set: string): Promise<[views: number, audited: number]> {
  const views = await rowsIn(file, `SELECT id FROM saved_views WHERE declared = '${set}'`);
  const audited = await rowsIn(
    file,
    `SELECT seq FROM audit_events WHERE action = 'saved_view.created' AND metadata LIKE '%"set":"${set}"%'`,
  );
  return [views.length, audited.length];
}

test("an apply is made as a whole, or not at all", async () => {
  const dataDir = join(temporaryFolder(), "data");
  let server = await startServer({ dataDir });
  const { file } = server;
  const key = await createKey(server, "operator");
  const results: number[] = [];
  for (const [round, times] of moments.entries()) {
    const set = `server-${round}`;
    const words = ["apply", "-f", setOf(set), "--set", set, "--yes", "--server", server.url];
    const command = startProgram("platformctl", words, { env: { PLATFORM_API_KEY: key } });
    await grown(`${file}-wal`, times, command);
    await server.kill();
    const { status } = await command.ended;
    server = await startServer({ dataDir });
    const [views, audited] = await stored(file, set);
    expect([0, objects]).toContain(views);
    expect(audited).toBe(views);
    if (status === 0) expect(views).toBe(objects);
    results.push(views);
  }
  for (const [round, times] of moments.entries()) {
    const set = `file-${round}`;
    const words = ["apply", "-f", setOf(set), "--set", set, "--yes", "--db", file];
    const command = startProgram("platformctl", words);
    await grown(`${file}-wal`, times, command);
    const { status } = await command.kill();
    const [views, audited] = await stored(file, set);
    expect([0, objects]).toContain(views);
    expect(audited).toBe(views);
    if (status === 0) expect(views).toBe(objects);
    results.push(views);
  }
  console.log(`changes after each kill: ${results.join(", ")}`);
  await server.stop();
});
