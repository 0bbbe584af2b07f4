// Two busy processes and one that keeps the disks busy, so that the tests run as on a slow machine.

import { fork } from "node:child_process";
import { once } from "node:events";
import { closeSync, fsyncSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";

export interface Load {
  end(): Promise<void>;
}

const bytesPerWrite = 2 ** 22;
const writesPerFile = 16;

/** Keeps two disks busy: that of the temporary folder, and that of `folder`. */
export function startLoad(folder: string): Load {
  const folders = [tmpdir(), folder].map((parent) => mkdtempSync(join(parent, ".load-")));
  const children = [[], [], folders].map((args) => fork(import.meta.filename, args));
  return {
    async end() {
      await Promise.all(
        children.map(async (child) => {
          if (child.exitCode !== null || child.signalCode !== null) return;
          child.kill("SIGKILL");
          await once(child, "exit");
        }),
      );
      for (const own of folders) rmSync(own, { recursive: true, force: true });
    },
  };
}

/** The turns between the steps let the process notice that its parent has ended. */
async function work(step: () => void): Promise<never> {
  process.on("disconnect", () => process.exit());
  // The terminal interrupts the parent, which then ends this process.
  process.on("SIGINT", () => undefined);
  for (;;) {
    step();
    await nextTurn();
  }
}

function spin(): void {
  for (let n = 0; n < 1e7; n++);
}

function writeTo(folders: string[]): void {
  const bytes = Buffer.alloc(bytesPerWrite, 1);
  for (const folder of folders) {
    const file = openSync(join(folder, "load"), "w");
    for (let n = 0; n < writesPerFile; n++) {
      writeSync(file, bytes);
      fsyncSync(file);
    }
    closeSync(file);
  }
}

if (import.meta.main) {
  const folders = process.argv.slice(2);
  await work(folders.length > 0 ? () => writeTo(folders) : spin);
}
