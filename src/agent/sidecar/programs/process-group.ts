// When the agent exits, whether by itself, because of a handled signal or because of an exception,
// it kills the process groups of all running programs. On Windows, taskkill ends the process tree
// (untested).

import { type ChildProcess, spawn } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";

const lookAgainMs = 20;
/** The same for processes that the agent may not signal, which can run for a long time. */
const refusedAgainMs = 1000;
/** How long `end` waits after SIGKILL. Zombies and uninterruptible processes can remain forever. */
const killedMs = 100;

const isWindows = process.platform === "win32";

export const ownGroup = { detached: !isWindows, windowsHide: true } as const;

/** The groups that are killed when this process exits. */
const living = new Set<ProcessGroup>();

export class ProcessGroup {
  readonly #leader: number;
  readonly #graceMs: number;
  #ending: Promise<void> | null = null;

  /** The child must have been started with `ownGroup`. */
  constructor(child: ChildProcess, graceMs: number) {
    if (child.pid === undefined) throw new Error("the program was not started");
    this.#leader = child.pid;
    this.#graceMs = graceMs;
    if (living.size === 0) process.on("exit", killAll);
    living.add(this);
  }

  /**
   * Sends SIGTERM, then SIGKILL after the grace period. Resolves when the group has ended, or 100 ms
   * after SIGKILL.
   */
  end(): Promise<void> {
    this.#ending ??= this.#end();
    return this.#ending;
  }

  /**
   * Like `end`, but waits without a limit for processes that the agent may not signal, such as those
   * of sudo. Does not keep the agent running.
   */
  async gone(): Promise<void> {
    await this.end();
    while (this.#signal(0) === "refused") await sleep(refusedAgainMs, undefined, { ref: false });
  }

  /** Stops tracking the group. Its remaining processes can continue. */
  release(): void {
    if (this.#ending === null) this.#forget();
  }

  kill(): void {
    if (isWindows) killTree(this.#leader);
    else this.#signal("SIGKILL");
  }

  async #end(): Promise<void> {
    if (isWindows) this.kill();
    else if (this.#signal("SIGTERM") !== "gone" && !(await this.#isGoneWithin(this.#graceMs))) {
      this.kill();
      await this.#isGoneWithin(killedMs);
    }
    this.#forget();
  }

  async #isGoneWithin(ms: number): Promise<boolean> {
    const deadline = performance.now() + ms;
    while (performance.now() < deadline) {
      await sleep(lookAgainMs);
      if (this.#signal(0) === "gone") return true;
    }
    return false;
  }

  /** `refused`: the group has processes, but the agent may not signal any of them. */
  #signal(signal: NodeJS.Signals | 0): "sent" | "refused" | "gone" {
    try {
      process.kill(-this.#leader, signal);
      return "sent";
    } catch (error) {
      return (error as { code?: string }).code === "EPERM" ? "refused" : "gone";
    }
  }

  #forget(): void {
    living.delete(this);
    if (living.size === 0) process.off("exit", killAll);
  }
}

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
