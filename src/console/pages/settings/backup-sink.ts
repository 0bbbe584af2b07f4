// Where a backup is put as it arrives: into a file that the person has chosen, where the browser can do
// that, else into memory, and then into a file as any download.

import { saveFile } from "../../client/save-file.ts";

export interface Sink {
  write(chunk: Uint8Array<ArrayBuffer>): Promise<void>;
  /** All has arrived: it stays. Answers what there is. */
  finish(fileName: string): Promise<{ blob: Blob; fileName: string }>;
  /** It has not: nothing stays. */
  discard(): Promise<void>;
}

/** From this size on a file is not held in memory where the browser can do without. */
export const largeBytes = 256 * 1024 * 1024;

type PickSave = (options: { suggestedName: string }) => Promise<FileSystemFileHandle>;

/** How to ask for a place; null where the browser cannot write to one. */
export function filePicker(): PickSave | null {
  const { showSaveFilePicker } = window as { showSaveFilePicker?: PickSave };
  return showSaveFilePicker?.bind(window) ?? null;
}

export async function fileSink(handle: FileSystemFileHandle): Promise<Sink> {
  // What is written is put in the file's place when it is closed, and not before.
  const stream = await handle.createWritable();
  return {
    write: (chunk) => stream.write(chunk),
    async finish() {
      await stream.close();
      return { blob: await handle.getFile(), fileName: handle.name };
    },
    discard: () => stream.abort(),
  };
}

export function memorySink(): Sink {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  return {
    async write(chunk) {
      chunks.push(chunk);
    },
    async finish(fileName) {
      const blob = new Blob(chunks, { type: "application/vnd.sqlite3" });
      saveFile(blob, fileName);
      return { blob, fileName };
    },
    async discard() {
      chunks.length = 0;
    },
  };
}
