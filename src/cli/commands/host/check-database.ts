// `platform check-database`: the part of a restore and of a diagnosis that takes long, in a process of its own.

import type { CheckReport } from "../../../domain/storage/database-checks.ts";
import type { Invocation } from "../../command.ts";
import { actAsOwnerOf } from "../../files/data-owner.ts";
import { type OutputOptions, printOne, type View } from "../../output/output.ts";

const view: View<CheckReport> = {
  columns: [
    { name: "damage", value: (report) => report.damage ?? "none" },
    { name: "audit rows", value: ({ audit }) => audit?.checked },
    { name: "broken at", value: ({ audit }) => audit?.broken?.seq },
    { name: "because", value: ({ audit }) => audit?.broken?.reason },
  ],
  nameOf: (report) => report.damage ?? "sound",
};

export async function checkDatabaseFile({ io, options }: Invocation): Promise<void> {
  const { file, auditKey, deep, draft } = options as {
    file: string;
    auditKey?: string;
    deep?: boolean;
    draft?: boolean;
  };
  await actAsOwnerOf(file, "for good");
  const { checkDatabase } = await import("../../../store/files/check.ts");
  const report = await checkDatabase({
    file,
    auditKeyFile: auditKey ?? null,
    deep: deep ?? false,
    draft: draft ?? false,
  });
  printOne(io, options as OutputOptions, report, view);
}
