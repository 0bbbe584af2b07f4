// A service runs one execution at a time, in the order of delivery. A prepare command never waits.

import type { DeliveredCommand } from "./commands.ts";

export class Turns {
  readonly #lines = new Map<string, DeliveredCommand[]>();

  /** Returns whether the command can run now. If not, `left` returns it when its turn comes. */
  came(command: DeliveredCommand): boolean {
    if (command.type === "ACTION_PREPARE") return true;
    const line = this.#lines.get(command.serviceCode);
    if (line) line.push(command);
    else this.#lines.set(command.serviceCode, [command]);
    return line === undefined;
  }

  /** Removes a command that has ended. Returns the next one that can run; null if there is none. */
  left(command: DeliveredCommand): DeliveredCommand | null {
    if (command.type === "ACTION_PREPARE") return null;
    const line = this.#lines.get(command.serviceCode) ?? [];
    line.shift();
    if (line.length === 0) this.#lines.delete(command.serviceCode);
    return line[0] ?? null;
  }

  waiting(): DeliveredCommand[] {
    return [...this.#lines.values()].flatMap((line) => line.slice(1));
  }

  take(isMeant: (command: DeliveredCommand) => boolean): DeliveredCommand[] {
    const taken = this.waiting().filter(isMeant);
    for (const [code, [running, ...rest]] of this.#lines) {
      const kept = rest.filter((command) => !taken.includes(command));
      if (running) this.#lines.set(code, [running, ...kept]);
    }
    return taken;
  }
}
