// Real programs must not block the agent, fill its memory, or survive an abort.

import { execFile, spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { projectFolder } from "../../../../scripts/build/project.ts";
import type { ExecConfig } from "../../../../src/agent/sidecar/config/config.ts";
import { endAllPrograms } from "../../../../src/agent/sidecar/programs/process-group.ts";
import { type ProgramRun, runProgram } from "../../../../src/agent/sidecar/programs/run-program.ts";
import { temporaryFolder } from "../../../helpers/app.ts";
import { replaceBuiltin } from "../../../helpers/builtin.ts";
import { isAlive } from "../../../helpers/process/alive.ts";
import { until } from "../../../helpers/process/process.ts";
import { size } from "../../../helpers/size.ts";

const sh = (script: string) => ["/bin/sh", "-c", script];

function run(command: string[], more: Partial<ProgramRun & ExecConfig> = {}) {
  const { cwd, env = {}, passEnv = [], ...rest } = more;
  const origin = { folder: "/", env: { PATH: process.env.PATH } };
  const signal = new AbortController().signal;
  const exec = { command, env, passEnv, ...(cwd === undefined ? {} : { cwd }) };
  return runProgram(exec, { origin, signal, maxBytes: 1000, graceMs: 300, ...rest });
}

/** Aborts the program after it has written its process id and its child's to a file. */
async function abortedRun(script: (file: string) => string) {
  const file = join(temporaryFolder(), "pids");
  const ender = new AbortController();
  const running = run(sh(script(file)), { signal: ender.signal });
  const outcome = running.catch((error: Error) => error.message);
  const pids = await until("the pids", () => {
    const lines = existsSync(file) ? readFileSync(file, "utf8").split("\n").slice(0, -1) : [];
    return lines.length === 2 && lines.map(Number);
  });
  ender.abort(new Error("enough"));
  return { outcome, pids };
}

afterAll(endAllPrograms);

test("the status, the output and the last lines of stderr are returned", async () => {
  const script = "cat; echo out; printf 'a\\033[31mb\\001\\nlast' >&2; exit 3";
  expect(await run(sh(script), { stdin: "in\n" })).toEqual({
    status: 3,
    signal: null,
    stdout: "in\nout\n",
    stdoutBytes: 7,
    cut: false,
    stderr: ["ab�", "last"],
  });
  expect(await run(sh("kill -9 $$"))).toMatchObject({ status: null, signal: "SIGKILL" });
  expect(await run(["cat"])).toMatchObject({ status: 0, stdout: "" });
});

test("arguments arrive unchanged, because there is no shell", async () => {
  const words = ["$HOME", "*", "a b", "", "'\"`;|&", "--", "ä\n"];
  const { stdout } = await run(["printf", "%s\\n-\\n", ...words]);
  expect(stdout).toBe(words.map((word) => `${word}\n-\n`).join(""));
});

test("a program gets only the allowed environment variables", async () => {
  const folder = temporaryFolder();
  const env = {
    PATH: "/usr/bin:/bin",
    HOME: "/home/a",
    LC_TIME: "C",
    PLATFORM_REGISTRATION_TOKEN: "platform_reg_x",
    NODE_OPTIONS: "--bad",
    LD_PRELOAD: "bad.so",
    ONE: "1",
    TWO: "2",
  };
  const run = { origin: { folder, env }, signal: new AbortController().signal, maxBytes: 10_000 };
  const exec = {
    command: ["env"],
    env: { TWO: "two", NEW: "x=y" },
    passEnv: ["ONE", "TWO", "NONE"],
  };
  const { stdout } = await runProgram(exec, run);
  expect(stdout.trim().split("\n").sort()).toEqual([
    "HOME=/home/a",
    "LC_TIME=C",
    "NEW=x=y",
    "ONE=1",
    "PATH=/usr/bin:/bin",
    "TWO=two",
  ]);
});

test("a program runs in the folder of agent.yaml or in one inside it", async () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, "sub"));
  writeFileSync(join(folder, "sub/tool"), "#!/bin/sh\npwd");
  chmodSync(join(folder, "sub/tool"), 0o755);
  const origin = { folder, env: {} };
  expect((await run(["/bin/sh", "-c", "pwd"], { origin })).stdout).toBe(`${folder}\n`);
  expect((await run(["./tool"], { origin, cwd: "sub" })).stdout).toBe(`${folder}/sub\n`);
});

test.each<[string, string[], string | undefined, string]>([
  ["nowhere in PATH", ["no-such-program"], undefined, "it is not in PATH"],
  ["no such file", ["./no-such"], undefined, "no such file"],
  ["not executable", ["/etc/passwd"], undefined, "it is not executable"],
  ["a folder as the program", ["/etc"], undefined, "it is not executable"],
  ["too long", ["true", "x".repeat(3_000_000)], undefined, "its arguments are too long"],
  ["no working directory", ["true"], "nonexistent", "directory /nonexistent cannot be used: no"],
  ["a file as the working directory", ["true"], "etc/passwd", "is not a folder"],
])(
  "a program that cannot be started is reported with the reason: %s",
  async (_, command, cwd, message) => {
    await expect(run(command, cwd === undefined ? {} : { cwd })).rejects.toThrow(message);
  },
);

test("excess output is read to its end but not kept", async () => {
  // The program runs in a process of its own, because other tests use the memory of this one.
  // Memory is measured after a garbage collection, so the amount of garbage does not matter. The
  // collection runs on one thread, because other threads would still be freeing buffers after it.
  const bytes = size(20_000_000, 100_000_000);
  const runner = join(projectFolder, "src/agent/sidecar/programs/run-program.ts");
  const script = `
    const { runProgram } = await import(${JSON.stringify(runner)});
    const kept = () => {
      gc();
      const { heapUsed, external } = process.memoryUsage();
      return heapUsed + external;
    };
    const before = kept();
    let growth = null;
    process.once("SIGUSR2", () => { growth = kept() - before; });
    const flood = "yes out | head -c ${bytes}; yes err | head -c ${bytes} >&2; echo last >&2";
    const exec = { command: ["/bin/sh", "-c", flood + "; kill -USR2 $PPID"], env: {}, passEnv: [] };
    const origin = { folder: "/", env: { PATH: process.env.PATH } };
    const { signal } = new AbortController();
    const end = await runProgram(exec, { origin, signal, maxBytes: 1000, graceMs: 300 });
    console.log(JSON.stringify({ end, growth }));`;
  const words = ["--disable-warning=ExperimentalWarning", "--expose-gc", "--single-threaded-gc"];
  words.push("--input-type=module", "-e", script);
  const { stdout } = await promisify(execFile)(process.execPath, words);
  const { end, growth } = JSON.parse(stdout);
  expect(end).toMatchObject({ status: 0, cut: true, stdoutBytes: bytes });
  expect(end.stdout).toBe("out\n".repeat(250));
  expect(end.stderr).toHaveLength(20);
  expect(end.stderr.at(-1)).toBe("last");
  // Both streams together wrote twice as many bytes. Data that is just being read counts, too.
  expect(growth).toBeLessThan(bytes / 10);
});

test("invalid output is accepted, and so is a program that does not read its input", async () => {
  const junk = await run(["printf", "\\377\\000\\033[1m{\\n\\303"]);
  expect(junk.stdout).toBe("�\0\u001b[1m{\n�");
  const stdin = "x".repeat(5_000_000);
  expect(await run(sh("exec <&-; echo ok"), { stdin })).toMatchObject({
    status: 0,
    stdout: "ok\n",
  });
  expect(await run(["true"], { stdin })).toMatchObject({ status: 0 });
});

test("a background child that keeps the output open is not waited for and continues", async () => {
  const end = await run(sh("sleep 3000 & echo $!"));
  const pid = Number(end.stdout);
  expect(isAlive(pid)).toBe(true);
  process.kill(pid, "SIGKILL");
  const noisy = await run(sh("(while :; do echo x; sleep 0.05; done) & echo $!"));
  expect(noisy.status).toBe(0);
});

test("an abort ends the whole group with SIGTERM, and then rejects", async () => {
  const { outcome, pids } = await abortedRun(
    (file) => `trap 'echo bye >>${file}; exit' TERM; sleep 3000 & echo "$$\n$!" >${file}; wait`,
  );
  expect(await outcome).toBe("enough");
  await expect.poll(() => pids.filter(isAlive)).toEqual([]);
});

test("every process of the group that ignores SIGTERM is killed", async () => {
  const { outcome, pids } = await abortedRun(
    (file) => `(trap '' TERM; exec 1>&- 2>&-; sleep 3000) & echo "$$\n$!" >${file}; wait`,
  );
  expect(await outcome).toBe("enough");
  await expect.poll(() => pids.filter(isAlive)).toEqual([]);
});

describe("a program that the agent may not signal", () => {
  /** Refuses every signal to a living process group, as for a program that sudo has started. */
  function refuseSignals() {
    const kill = process.kill.bind(process);
    const spy = vi.spyOn(process, "kill").mockImplementation((pid, signal) => {
      kill(pid, 0);
      if (pid > 0) return kill(pid, signal);
      throw Object.assign(new Error("kill EPERM"), { code: "EPERM" });
    });
    onTestFinished(() => spy.mockRestore());
    return () => spy.mock.calls.map(([, signal]) => signal);
  }

  /** Starts a program that runs until `release` is called, and aborts it. */
  async function abortRefused(more: Partial<ProgramRun>) {
    const folder = temporaryFolder();
    const signals = refuseSignals();
    const ender = new AbortController();
    const script = "mkfifo gate && exec 3<>gate && echo >there && read -r line <&3";
    const running = run(sh(`cd ${folder} && ${script}`), { signal: ender.signal, ...more });
    const release = () => writeFileSync(join(folder, "gate"), "go\n", { flag: "r+" });
    onTestFinished(release);
    const outcome = running.catch((error: Error) => error.message);
    await until("the program", () => existsSync(join(folder, "there")));
    ender.abort(new Error("enough"));
    return { outcome, signals, release };
  }

  type Wait = (ms: number, ...more: unknown[]) => Promise<void>;

  test("is waited for after an abort", async () => {
    // The seconds between the agent's looks are over at once.
    let seconds = 0;
    replaceBuiltin<{ setTimeout: Wait }>("node:timers/promises", ({ setTimeout: wait }) => ({
      setTimeout(ms, ...more) {
        if (ms !== 1000) return wait(ms, ...more);
        seconds++;
        return wait(0, ...more);
      },
    }));
    const { outcome, signals, release } = await abortRefused({ untilGone: true });
    const order: string[] = [];
    void outcome.then(() => order.push("the run ends"));
    await until("looks after SIGKILL", () => order.length > 0 || seconds > 2);
    expect(signals()).toContain("SIGKILL");
    order.push("the program may end");
    release();
    expect(await outcome).toBe("enough");
    expect(order).toEqual(["the program may end", "the run ends"]);
  });

  test("is not waited for by a probe, and not when the agent stops", async () => {
    const { outcome, signals } = await abortRefused({});
    expect(await outcome).toBe("enough");
    expect(signals()).toContain("SIGKILL");
    await endAllPrograms();
  });
});

test("an abort before the start starts nothing", async () => {
  const file = join(temporaryFolder(), "started");
  const signal = AbortSignal.abort(new Error("too early"));
  await expect(run(["touch", file], { signal })).rejects.toThrow("too early");
  expect(existsSync(file)).toBe(false);
});

test("when the agent's process ends by an error, its programs end", async () => {
  const folder = temporaryFolder();
  const module = new URL("../../../../src/agent/sidecar/programs/run-program.ts", import.meta.url);
  const script = `
    import { existsSync } from "node:fs";
    import { runProgram } from ${JSON.stringify(module)};
    const exec = { command: ["/bin/sh", "-c", "trap '' TERM; echo $$ >pid; mv pid there; sleep 32"], env: {}, passEnv: [] };
    const origin = { folder: process.argv[1], env: process.env };
    void runProgram(exec, { origin, signal: new AbortController().signal, maxBytes: 10 });
    setInterval(() => { if (existsSync(process.argv[1] + "/there")) throw new Error("unforeseen"); }, 5);`;
  const words = ["--input-type=module", "-e", script, folder];
  const { status } = spawnSync(process.execPath, words, { timeout: 20_000 });
  expect(status).not.toBe(0);
  const pid = Number(readFileSync(join(folder, "there"), "utf8"));
  await until("the program's end", () => !isAlive(pid));
});
