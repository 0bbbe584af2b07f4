// Whose turn it is: the executions of one service run one after the other, in the order in which they
// came; services do not wait for each other, and a prepare, which changes nothing, waits for nobody.

import type { DeliveredCommand } from "./commands.ts";

type Ordered = Pick<DeliveredCommand, "id" | "type" | "serviceCode">;

export class Turns<T extends Ordered = DeliveredCommand> {
  /** By service: the execution that runs comes first, behind it those that wait. */
  readonly #lines = new Map<string, T[]>();

  /** True when the command may run now; else `left` answers it when its turn has come. */
  came(command: T): boolean {
    if (command.type === "ACTION_PREPARE") return true;
    const line = this.#lines.get(command.serviceCode);
    if (line) line.push(command);
    else this.#lines.set(command.serviceCode, [command]);
    return line === undefined;
  }

  /** A command that ran has ended. Answers the one that may run now in its place; null for none. */
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

  /** Those that wait and are meant wait no more; answers them. */
  take(isMeant: (command: T) => boolean): T[] {
    const taken = this.waiting().filter(isMeant);
    for (const [code, [running, ...rest]] of this.#lines) {
      const kept = rest.filter((command) => !taken.includes(command));
      if (running) this.#lines.set(code, [running, ...kept]);
    }
    return taken;
  }
}
