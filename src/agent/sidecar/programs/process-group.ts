// The processes of a program that the agent has started: the program and what it starts itself, as far
// as that stays in its group. They are ended together: asked first, then made to. None is left behind
// when the agent ends by itself, by a signal that it handles, or by an exception.
// On Windows there are no groups: taskkill ends the tree, and does not ask (not tested).

import { type ChildProcess, spawn } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";

const lookAgainMs = 20;
/** After SIGKILL only what the kernel holds, or nobody reaps, is still there: not worth a wait. */
const killedMs = 100;

const isWindows = process.platform === "win32";

/** What `spawn` needs for a program that shall have a group of its own. */
export const ownGroup = { detached: !isWindows, windowsHide: true } as const;

/** A matter of this process: its children are ended with it, whoever started them. */
const living = new Set<ProcessGroup>();

export class ProcessGroup {
  readonly #leader: number;
  readonly #graceMs: number;
  #ending: Promise<void> | null = null;

  /** Of a child that was started with `ownGroup` and has a pid. */
  constructor(child: ChildProcess, graceMs: number) {
    if (child.pid === undefined) throw new Error("the program was not started");
    this.#leader = child.pid;
    this.#graceMs = graceMs;
    if (living.size === 0) process.on("exit", killAll);
    living.add(this);
  }

  /** SIGTERM, and SIGKILL to what is there when the grace is over. Resolves when all are gone. */
  end(): Promise<void> {
    this.#ending ??= this.#end();
    return this.#ending;
  }

  /** The program has ended by itself: what it has left running is meant to go on. */
  release(): void {
    if (this.#ending === null) this.#forget();
  }

  /** At once and without waiting. */
  kill(): void {
    if (isWindows) killTree(this.#leader);
    else this.#signal("SIGKILL");
  }

  async #end(): Promise<void> {
    if (isWindows) this.kill();
    else if (this.#signal("SIGTERM") && !(await this.#isGoneWithin(this.#graceMs))) {
      this.kill();
      await this.#isGoneWithin(killedMs);
    }
    this.#forget();
  }

  async #isGoneWithin(ms: number): Promise<boolean> {
    const deadline = performance.now() + ms;
    while (performance.now() < deadline) {
      await sleep(lookAgainMs);
      if (!this.#signal(0)) return true;
    }
    return false;
  }

  /** False when there is nobody in the group, or nobody that may be sent signals. */
  #signal(signal: NodeJS.Signals | 0): boolean {
    try {
      return process.kill(-this.#leader, signal);
    } catch {
      return false;
    }
  }

  #forget(): void {
    living.delete(this);
    if (living.size === 0) process.off("exit", killAll);
  }
}

/** Ends every program that runs now. For the end of the agent; resolves when none is left. */
export async function endAllPrograms(): Promise<void> {
  await Promise.all([...living].map((group) => group.end()));
}

function killAll(): void {
  for (const group of living) group.kill();
}

function killTree(pid: number): void {
  const options = { stdio: "ignore", windowsHide: true } as const;
  spawn("taskkill", ["/pid", String(pid), "/T", "/F"], options).on("error", () => undefined);
}
