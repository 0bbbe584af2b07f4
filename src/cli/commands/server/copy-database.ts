// `platform copy-database`: the part of a backup that takes long, in a process of its own.

import type { CopyReport } from "../../../domain/storage/backups.ts";
import type { Invocation } from "../../command.ts";
import { actAsOwnerOf } from "../../files/data-owner.ts";
import { type OutputOptions, printOne, type View } from "../../output/output.ts";

const view: View<CopyReport> = {
  columns: [
    { name: "bytes", value: (copy) => copy.sizeBytes },
    { name: "sha256", value: (copy) => copy.sha256, kind: "key" },
    { name: "audit seq", value: (copy) => copy.auditHead.seq },
    { name: "audit hash", value: (copy) => copy.auditHead.hash, kind: "key" },
  ],
  nameOf: (copy) => copy.sha256,
};

/** Prints the report of a good copy; of any other, why not. */
export async function copyDatabaseFile({ io, options }: Invocation): Promise<void> {
  const { from, to, auditKey } = options as { from: string; to: string; auditKey: string };
  await actAsOwnerOf(from, "for good");
  const { copyDatabase } = await import("../../../store/files/copy.ts");
  const report = await copyDatabase({ from, to, auditKeyFile: auditKey });
  printOne(io, options as OutputOptions, report, view);
}
