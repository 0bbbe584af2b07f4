// `platform walk-trail`: the part of a verification of the audit trail that takes long, in a process of its own.

import type { TrailWalk } from "../../../domain/audit/trail-walks.ts";
import type { Invocation } from "../../command.ts";
import { type OutputOptions, printOne, type View } from "../../output/output.ts";

const view: View<TrailWalk> = {
  columns: [
    { name: "checked", value: ({ checked }) => checked },
    { name: "broken at", value: ({ broken }) => broken?.seq },
    { name: "because", value: ({ broken }) => broken?.reason },
  ],
  nameOf: ({ broken }) => (broken ? "BROKEN" : "SOUND"),
};

export async function walkTrailOfFile({ io, options, signal }: Invocation): Promise<void> {
  const { walkTrailOf } = await import("../../../store/audit/verification.ts");
  const { file, auditKey } = options as { file: string; auditKey: string };
  const walk = await walkTrailOf({ file, auditKeyFile: auditKey }, signal);
  printOne(io, options as OutputOptions, walk, view);
}
