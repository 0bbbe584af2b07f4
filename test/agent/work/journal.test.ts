import {
  copyFileSync,
  existsSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { type FileHandle, open as openFile } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import type { DeliveredCommand } from "../../../src/agent/work/commands.ts";
import { Journal } from "../../../src/agent/work/journal.ts";
import { temporaryFolder } from "../../helpers/app.ts";
import { replaceBuiltin } from "../../helpers/builtin.ts";

let count = 0;

function command(): DeliveredCommand {
  const id = `cmd_${String(++count).padStart(26, "0")}`;
  const expiresAt = "2026-01-02T03:04:05.678Z";
  return { id, type: "ACTION_EXECUTE", serviceCode: "s", action: "a", payload: {}, expiresAt };
}

async function open(file: string, growthBytes?: number): Promise<Journal> {
  const journal = await Journal.open(file, {
    isNew: !existsSync(file),
    ...(growthBytes === undefined ? {} : { growthBytes }),
  });
  onTestFinished(() => journal.close());
  return journal;
}

function journalFile(): string {
  return join(temporaryFolder(), "journal.jsonl");
}

type Rename = (draft: string, file: string) => Promise<void>;

/** Replaces the last steps of the next rewrites, which rename the new file. */
function replaceRenames(...renames: Rename[]): void {
  replaceBuiltin<{ rename: Rename }>("node:fs/promises", (real) => ({
    rename: (draft, file) => (renames.shift() ?? real.rename)(draft, file),
  }));
}

const done = { success: true as const, output: "done" };

test("each step of a command survives a crash", async () => {
  const file = journalFile();
  const journal = await open(file);
  const [begun, finished, over] = [command(), command(), command()];
  await journal.received([begun, finished, over]);
  await journal.finished(finished.id, done);
  await journal.finished(over.id, done);
  await journal.acknowledged(over.id);
  const again = await open(file);
  expect(again.inHand()).toMatchObject([
    { id: begun.id, state: "received" },
    { id: finished.id, state: "finished", result: done },
  ]);
  expect(again.find(over.id)).toMatchObject({ state: "acknowledged" });
  expect(again.find(over.id)?.result).toBeUndefined();
  expect(again.damagedLines).toBe(0);
});

test("a command is kept when it has been flushed to the disk", async () => {
  const journal = await open(journalFile());
  const handle = await openFile(import.meta.filename);
  onTestFinished(() => handle.close());
  const [begun, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const flush = vi.spyOn(Object.getPrototypeOf(handle) as FileHandle, "datasync");
  onTestFinished(() => flush.mockRestore());
  flush.mockImplementation(() => {
    begun.resolve();
    return ended.promise;
  });
  let isKept = false;
  const kept = journal.received([command()]).then(() => {
    isKept = true;
  });
  await Promise.race([begun.promise, kept]);
  await nextTurn();
  expect(isKept).toBe(false);
  ended.resolve();
  await kept;
});

test("a crash at any byte leaves a readable journal", async () => {
  const file = journalFile();
  writeFileSync(file, `{"journal":1}\n`);
  const journal = await open(file);
  const one = command();
  await journal.received([one]);
  await journal.finished(one.id, done);
  await journal.acknowledged(one.id);
  const whole = readFileSync(file, "utf8");
  // The first line of the journal is not about a command.
  const states = [undefined, undefined, "received", "finished", "acknowledged"];
  for (let length = 0; length <= whole.length; length++) {
    const text = whole.slice(0, length);
    writeFileSync(file, text);
    const again = await Journal.open(file, { isNew: false });
    const lines = text.split("\n").filter((line) => line !== "");
    const isCut = lines.length > 0 && !isJson(lines.at(-1) as string);
    const isNamed = text.includes(`{"id":"${one.id}"`);
    const steps = Math.max(lines.length - (isCut ? 1 : 0), isNamed ? 2 : 0);
    expect(again.find(one.id)?.state).toBe(states[steps]);
    expect(again.isComplete).toBe(length > 0 && !isCut);
  }
});

test("a lost journal becomes complete after the agent has run for a day, whatever the clock says", async () => {
  const file = journalFile();
  const clock = vi.spyOn(Date, "now").mockReturnValue(Date.parse("1970-01-01T00:01:00Z"));
  const uptime = vi.spyOn(performance, "now").mockReturnValue(0);
  onTestFinished(() => [clock, uptime].forEach((spy) => void spy.mockRestore()));
  const lost = await Journal.open(file, { isNew: false });
  clock.mockReturnValue(Date.parse("2036-01-02T03:04:05Z"));
  uptime.mockReturnValue(hours(20));
  expect(lost.isComplete).toBe(false);
  await lost.close();
  clock.mockReturnValue(Date.parse("2026-01-02T03:04:05Z"));
  uptime.mockReturnValue(0);
  const again = await open(file);
  expect(again.isComplete).toBe(false);
  uptime.mockReturnValue(hours(5));
  expect(again.isComplete).toBe(true);
});

test("a new journal has every command that may be delivered again, and after a day every command", async () => {
  const file = journalFile();
  const uptime = vi.spyOn(performance, "now").mockReturnValue(0);
  onTestFinished(() => uptime.mockRestore());
  const known = ({ isComplete, knowsEarlier }: Journal) => [isComplete, knowsEarlier];
  const first = await open(file);
  uptime.mockReturnValue(hours(20));
  expect(known(first)).toEqual([true, false]);
  await first.close();
  uptime.mockReturnValue(0);
  const second = await open(file);
  expect(known(second)).toEqual([true, false]);
  const young = readFileSync(file, "utf8");
  uptime.mockReturnValue(hours(5));
  expect(known(second)).toEqual([true, true]);
  await second.close();
  uptime.mockReturnValue(0);
  expect(known(await open(file))).toEqual([true, true]);
  const damaged = journalFile();
  writeFileSync(damaged, `${young}damage\n`);
  expect(known(await open(damaged))).toEqual([false, false]);
});

test("a registration begins the day again, and what was lost before it is no longer delivered", async () => {
  const file = journalFile();
  const uptime = vi.spyOn(performance, "now").mockReturnValue(0);
  onTestFinished(() => uptime.mockRestore());
  const known = ({ isComplete, knowsEarlier }: Journal) => [isComplete, knowsEarlier];
  const lost = await Journal.open(file, { isNew: false });
  uptime.mockReturnValue(hours(20));
  expect(known(lost)).toEqual([false, false]);
  await lost.registered();
  expect(known(lost)).toEqual([true, false]);
  // An agent that is killed now continues the day.
  const killed = join(temporaryFolder(), "journal.jsonl");
  copyFileSync(file, killed);
  uptime.mockReturnValue(hours(43));
  expect(known(lost)).toEqual([true, false]);
  uptime.mockReturnValue(hours(45));
  expect(known(lost)).toEqual([true, true]);
  await lost.close();
  uptime.mockReturnValue(0);
  expect(known(await open(file))).toEqual([true, true]);
  expect(known(await open(killed))).toEqual([true, false]);
});

function hours(count: number): number {
  return count * 3_600_000;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

test("a rewrite keeps everything about a command, including its age", async () => {
  const file = journalFile();
  const [begun, over] = [command(), command()];
  const journal = await open(file);
  await journal.received([{ ...begun, type: "ACTION_PREPARE" }, over]);
  await journal.finished(begun.id, done);
  await journal.finished(over.id, done);
  await journal.acknowledged(over.id);
  await journal.close();
  const kept = [begun, over].map(({ id }) => journal.find(id));
  const again = await open(file);
  expect([begun, over].map(({ id }) => again.find(id))).toEqual(kept);
});

test("a damaged line in the middle counts as a started command, because it may have been one", async () => {
  const file = journalFile();
  const [damaged, whole] = [command(), command()];
  const tail = JSON.stringify({ id: whole.id, state: "finished", result: done });
  writeFileSync(file, `{"id":"${damaged.id}","sta\nnot a line\n${tail}\n`);
  const journal = await open(file);
  expect(journal.damagedLines).toBe(2);
  expect(journal.inHand()).toMatchObject([
    { id: damaged.id, state: "received" },
    { id: whole.id, state: "finished", result: done },
  ]);
});

test("the journal is rewritten when it grows, and forgets ended commands after a day or after 10,000 newer ones", async () => {
  const file = journalFile();
  const day = 24 * 60 * 60 * 1000;
  const line = (id: string, at: number) => `${JSON.stringify({ id, state: "acknowledged", at })}\n`;
  const old = command();
  const many = Array.from({ length: 10_001 }, command);
  const lines = many.map(({ id }) => line(id, Date.now()));
  writeFileSync(file, [line(old.id, Date.now() - day - 1), ...lines].join(""));
  const journal = await open(file, 10_000);
  expect(journal.find(old.id)).toBeUndefined();
  expect(journal.find(many[0]!.id)).toBeUndefined();
  expect(journal.find(many[1]!.id)).toMatchObject({ state: "acknowledged" });

  const small = journalFile();
  const growing = await open(small, 10_000);
  for (let i = 0; i < 50; i++) {
    const next = command();
    await growing.received([next]);
    await growing.finished(next.id, { success: true, output: "x".repeat(1000) });
    await growing.acknowledged(next.id);
  }
  expect(statSync(small).size).toBeLessThan(25_000);
  expect(statSync(small).mode & 0o777).toBe(0o600);
});

test("a one-time secret is erased from the disk when the server has acknowledged it", async () => {
  const file = journalFile();
  const journal = await open(file);
  const one = command();
  await journal.received([one]);
  await journal.finished(one.id, { success: true, output: { generatedKey: "hush" } });
  expect(readFileSync(file, "utf8")).toContain("hush");
  await journal.acknowledged(one.id);
  expect(readFileSync(file, "utf8")).not.toContain("hush");
});

test("a one-time secret is also erased if it is acknowledged while the journal is rewritten", async () => {
  const file = journalFile();
  const journal = await open(file);
  const [first, second] = [command(), command()];
  await journal.received([first, second]);
  await journal.finished(first.id, { success: true, output: { generatedKey: "hush" } });
  await journal.finished(second.id, { success: true, output: { generatedKey: "quiet" } });
  const [begun, gate] = [Promise.withResolvers<string>(), Promise.withResolvers<void>()];
  replaceRenames(async (draft, path) => {
    begun.resolve(readFileSync(draft, "utf8"));
    await gate.promise;
    renameSync(draft, path);
  });
  const acknowledged = [journal.acknowledged(first.id)];
  expect(await begun.promise).toContain("quiet");
  acknowledged.push(journal.acknowledged(second.id));
  gate.resolve();
  await Promise.all(acknowledged);
  expect(readFileSync(file, "utf8")).not.toMatch(/hush|quiet/);
});

test("a one-time secret is also erased if the agent restarted on a full disk", async () => {
  const file = journalFile();
  const journal = await open(file);
  const one = command();
  await journal.received([one]);
  await journal.finished(one.id, { success: true, output: { generatedKey: "hush" } });
  const full = async () => {
    throw Object.assign(new Error("no space"), { code: "ENOSPC" });
  };
  replaceRenames(full, full);
  await journal.acknowledged(one.id);
  const again = await open(file);
  expect(readFileSync(file, "utf8")).toContain("hush");
  await again.received([command()]);
  expect(readFileSync(file, "utf8")).not.toContain("hush");
});

test("commands written at the same time are all kept", async () => {
  const file = journalFile();
  const journal = await open(file, 2000);
  const commands = Array.from({ length: 100 }, command);
  await Promise.all(
    commands.map(async (one) => {
      await journal.received([one]);
      await journal.finished(one.id, done);
    }),
  );
  const again = await open(file);
  expect(again.inHand().filter(({ state }) => state === "finished")).toHaveLength(100);
});
