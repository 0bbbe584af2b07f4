// A service runs one execution at a time, in the order of delivery. A prepare waits for none.

import type { DeliveredCommand } from "./commands.ts";

type Ordered = Pick<DeliveredCommand, "id" | "type" | "serviceCode">;

export class Turns<T extends Ordered = DeliveredCommand> {
  readonly #lines = new Map<string, T[]>();

  /** Returns whether the command can run now. If not, `left` returns it when its turn comes. */
  came(command: T): boolean {
    if (command.type === "ACTION_PREPARE") return true;
    const line = this.#lines.get(command.serviceCode);
    if (line) line.push(command);
    else this.#lines.set(command.serviceCode, [command]);
    return line === undefined;
  }

  /** Returns the command that can run next; null if there is none. */
  left(command: T): T | null {
    if (command.type === "ACTION_PREPARE") return null;
    const line = this.#lines.get(command.serviceCode) ?? [];
    line.shift();
    if (line.length === 0) this.#lines.delete(command.serviceCode);
    return line[0] ?? null;
  }

  waiting(): T[] {
    return [...this.#lines.values()].flatMap((line) => line.slice(1));
  }

  take(isMeant: (command: T) => boolean): T[] {
    const taken = this.waiting().filter(isMeant);
    for (const [code, [running, ...rest]] of this.#lines) {
      const kept = rest.filter((command) => !taken.includes(command));
      if (running) this.#lines.set(code, [running, ...kept]);
    }
    return taken;
  }
}
