// One bash for a whole document, so that later examples see the variables of earlier ones.

import { spawn } from "node:child_process";
import { onTestFinished } from "vitest";
import { cleanEnv, until } from "../../helpers/process/process.ts";

export interface Shell {
  /** Runs a command with empty standard input. Throws if the command ends the shell. */
  run(command: string): Promise<{ status: number; lines: string[] }>;
}

/** Matches what the shell prints after each command. */
const mark = /\n\[the example ended with (\d+)\]$/;
const withinMs = 60_000;

export function openShell(folder: string, env: Record<string, string>): Shell {
  const child = spawn("bash", ["--noprofile", "--norc"], {
    cwd: folder,
    env: cleanEnv(env),
    stdio: ["pipe", "pipe", "inherit"],
    detached: true,
  });
  let printed = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    printed += text;
  });
  const running = () => child.exitCode === null && child.signalCode === null;
  onTestFinished(() => {
    if (running()) process.kill(-(child.pid ?? 0), "SIGKILL");
  });
  return {
    async run(command) {
      printed = "";
      const told = `printf '\\n[the example ended with %s]' "$?"`;
      child.stdin.write(`{ ${command}\n} </dev/null 2>&1; ${told}\n`);
      const ended = await until(
        `the end of ${command}`,
        () => {
          if (!running()) throw new Error(`bash ended in: ${command}\n${printed}`);
          return mark.exec(printed);
        },
        withinMs,
      );
      const text = printed.slice(0, ended.index).replace(/\n$/, "");
      return { status: Number(ended[1]), lines: text === "" ? [] : text.split("\n") };
    },
  };
}
