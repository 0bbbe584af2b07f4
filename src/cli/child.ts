// Runs a part of this program in a process of its own: what must not hold up the event loop.
// (A worker thread would not find its file in a packaged binary.)

import { spawn } from "node:child_process";
import type { CopyDatabase, CopyReport } from "../domain/backups.ts";
import { AppError, isErrorCode } from "../domain/errors.ts";
import { selfCommand } from "./self.ts";

/** The copy is made by `platform copy-database`. */
export const copyInChild: CopyDatabase = async ({ from, to, auditKeyFile }, signal) => {
  const files = [`--from=${from}`, `--to=${to}`, `--audit-key=${auditKeyFile}`];
  const printed = await runSelf(["copy-database", ...files, "-o", "json"], signal);
  return JSON.parse(printed) as CopyReport;
};

/**
 * Runs `platform <words>`, which end in `-o json`, and answers what it prints. Rejects with the AppError
 * that ended it, with UNAVAILABLE when it ended another way; once it was ended by the signal, with the
 * signal's reason. It does not outlive this process.
 */
export async function runSelf(words: string[], signal: AbortSignal): Promise<string> {
  signal.throwIfAborted();
  const [command, ...args] = selfCommand("platform", words);
  const child = spawn(command, args, { stdio: ["ignore", "pipe", "pipe"], windowsHide: true });
  const end = () => void child.kill("SIGKILL");
  signal.addEventListener("abort", end);
  process.once("exit", end);
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  try {
    const how = await new Promise<number | NodeJS.Signals | null>((resolve, reject) => {
      child.once("error", reject);
      child.once("close", (status, endedBy) => resolve(status ?? endedBy));
    });
    if (how === 0) return stdout;
    signal.throwIfAborted();
    throw failureOf(words[0] ?? "", how, stderr);
  } finally {
    signal.removeEventListener("abort", end);
    process.off("exit", end);
  }
}

/** The failure that it reported, in its own words; else only that there was one. */
function failureOf(name: string, how: number | NodeJS.Signals | null, stderr: string): AppError {
  const cause = new Error(`platform ${name} ended with ${how}: ${stderr.slice(-2000).trim()}`);
  const said = reportedIn(stderr);
  if (said && isErrorCode(said.code)) return new AppError(said.code, said.message, { cause });
  const message = `A process of this program ended with ${how} before its work was done.`;
  return new AppError("UNAVAILABLE", message, { cause });
}

function reportedIn(stderr: string): { code: string; message: string } | null {
  try {
    return JSON.parse(stderr.trim().split("\n").at(-1) ?? "").error;
  } catch {
    return null;
  }
}
