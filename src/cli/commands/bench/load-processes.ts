// Starts the processes that simulate the agents, and adds up what they count.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { selfCommand } from "../../self.ts";
import type { FromLoad, LoadPlan, LoadState, ToLoad } from "./load/messages.ts";
import { Tally } from "./stats/tally.ts";

interface Member {
  child: ChildProcess;
  state: LoadState;
  isStopped: boolean;
}

const idle: LoadState = { registered: 0, held: 0, busy: 0, residentBytes: 0, cpuSeconds: 0 };

export class LoadProcesses {
  /** The counts since the start or the last `forget`. */
  tally = new Tally();
  /** How busy each process was since `forget`. */
  #busiest = { sum: new Map<Member, number>(), reports: new Map<Member, number>() };
  readonly #members: Member[] = [];
  readonly #failure = Promise.withResolvers<never>();
  readonly #kill = () => {
    for (const { child } of this.#members) child.kill("SIGKILL");
  };
  /** The processes' own limit on open files; null if unknown. */
  descriptors: number | null = null;

  constructor() {
    // The callers that wait for `failure` handle the rejection.
    this.#failure.promise.catch(() => undefined);
    process.once("exit", this.#kill);
  }

  /** Rejects when a process fails or ends early. */
  get failure(): Promise<never> {
    return this.#failure.promise;
  }

  get state() {
    const sum = (of: (state: LoadState) => number) =>
      this.#members.reduce((total, { state }) => total + of(state), 0);
    return {
      registered: sum(({ registered }) => registered),
      held: sum(({ held }) => held),
      residentBytes: sum(({ residentBytes }) => residentBytes),
      cpuSeconds: sum(({ cpuSeconds }) => cpuSeconds),
    };
  }

  /** The mean share of time that the busiest process was busy since `forget`, 0 to 1. */
  get busy(): number {
    const { sum, reports } = this.#busiest;
    const means = [...sum].map(([member, total]) => total / (reports.get(member) ?? 1));
    return Math.max(0, ...means);
  }

  /** The share of time that the busiest process was busy according to its last report, 0 to 1. */
  get recentBusy(): number {
    return Math.max(0, ...this.#members.map(({ state }) => state.busy));
  }

  get size(): number {
    return this.#members.length;
  }

  /** Starts this many processes and waits until all listen. */
  async start(count: number): Promise<void> {
    const ready = Array.from({ length: count }, () => this.#startOne());
    await Promise.race([Promise.all(ready), this.failure]);
  }

  register(plans: readonly LoadPlan[]): void {
    for (const [index, plan] of plans.entries()) {
      this.#send(this.#members[index], { kind: "register", plan });
    }
  }

  work(): void {
    for (const member of this.#members) this.#send(member, { kind: "work" });
  }

  /** Starts counting from zero again. */
  forget(): void {
    this.tally = new Tally();
    this.#busiest = { sum: new Map(), reports: new Map() };
  }

  /** Lets the processes report their agents OFFLINE, and ends them. Never rejects. */
  async stop(): Promise<void> {
    for (const member of this.#members) {
      member.isStopped = true;
      this.#send(member, { kind: "stop" });
    }
    const running = this.#members.filter(
      ({ child }) =>
        child.pid !== undefined && child.exitCode === null && child.signalCode === null,
    );
    await Promise.all(running.map(({ child }) => once(child, "exit")));
    process.off("exit", this.#kill);
  }

  #startOne(): Promise<void> {
    const [command, ...args] = selfCommand("platform", ["bench-load"]);
    // Its own process group: on Ctrl-C, this process stops the children in order.
    const child = spawn(command, args, {
      detached: true,
      stdio: ["ignore", "ignore", "pipe", "ipc"],
    });
    const member: Member = { child, state: idle, isStopped: false };
    this.#members.push(member);
    const { promise, resolve } = Promise.withResolvers<void>();
    let said = "";
    child.stderr?.on("data", (text) => {
      said = (said + text).slice(-2000);
    });
    child.on("message", (message: FromLoad) => this.#onMessage(member, message, resolve));
    child.once("error", (error) => this.#failure.reject(error));
    child.once("exit", (status, signal) => {
      member.state = { ...member.state, registered: 0, held: 0 };
      if (member.isStopped) return;
      const how = status === null ? `was ended by ${signal}` : `exited with status ${status}`;
      const why = said.trim() === "" ? "" : `: ${said.trim().split("\n").at(-1)}`;
      this.#failure.reject(new Error(`a process that simulates agents ${how}${why}`));
    });
    return promise;
  }

  #onMessage(member: Member, message: FromLoad, onReady: () => void): void {
    switch (message.kind) {
      case "ready":
        this.descriptors = message.descriptors;
        onReady();
        return;
      case "tally": {
        const { sum, reports } = this.#busiest;
        member.state = message.state;
        this.tally.add(message.tally);
        sum.set(member, (sum.get(member) ?? 0) + message.state.busy);
        reports.set(member, (reports.get(member) ?? 0) + 1);
        return;
      }
      case "failed":
        this.#failure.reject(new Error(message.message));
        return;
      case "stopped":
        // The process ends when the channel is closed.
        if (member.child.connected) member.child.disconnect();
    }
  }

  /** Ignores a failure to send, because the `exit` event then reports that the process ended. */
  #send(member: Member | undefined, message: ToLoad): void {
    if (member?.child.connected) member.child.send(message, () => undefined);
  }
}
