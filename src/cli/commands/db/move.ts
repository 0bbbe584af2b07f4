// `platform db move`: moves all data to another database. (docs/guides/cluster.md)

import { MoveRefused, type MoveReport } from "../../../domain/storage/moves.ts";
import { operatorName } from "../../../lib/files/accounts.ts";
import type { Invocation } from "../../command.ts";
import { CliError, exit, usageError } from "../../exit.ts";
import { refuseRoot } from "../../files/refuse-root.ts";
import { isForPeople, printOne, type View } from "../../output/output.ts";
import { startProgress } from "../../terminal/progress.ts";
import { movedPlaces } from "./places.ts";
import { whatNext } from "./what-next.ts";

const view: View<MoveReport> = {
  columns: [
    { name: "from", value: ({ from }) => from, kind: "key" },
    { name: "to", value: ({ to }) => to, kind: "key" },
    {
      name: "moved",
      value: ({ rows, tables }) => `${rows} rows of ${Object.keys(tables).length} tables`,
    },
    { name: "replaced texts", value: ({ replacedTexts }) => replacedTexts || null },
    { name: "audit", value: auditOf },
    { name: "audit hash", value: ({ auditHead }) => auditHead.hash, kind: "key", wide: true },
  ],
  nameOf: ({ to }) => to,
};

export async function moveAll({ io, options, signal }: Invocation): Promise<void> {
  const { from, to } = options as { from?: string; to?: string };
  if (from === undefined || to === undefined) throw usageError("give --from and --to.");
  const places = movedPlaces(io, from, to);
  refuseRoot(places.from);
  refuseRoot(places.to);
  const { moveDatabase } = await import("../../../store/move/move.ts");
  const { realWorld } = await import("../../../app.ts");
  const report = await move();
  printOne(io, options, report, view);
  if (isForPeople(options)) io.note(`\n${whatNext(report, places)}`);

  async function move(): Promise<MoveReport> {
    using progress = startProgress(io, "opening the databases");
    try {
      return await moveDatabase({
        ...places,
        osUser: operatorName(),
        now: io.now,
        fillRandom: realWorld.fillRandom,
        unverified: options.unverified === true,
        signal,
        onProgress: (doing, done, total) => progress.say(progressText(doing, done, total)),
      });
    } catch (error) {
      if (!(error instanceof MoveRefused)) throw error;
      const status = error.code === "AUDIT_NOT_VERIFIED" ? exit.failed : exit.conflict;
      throw new CliError(status, error.message, { code: error.code });
    }
  }
}

const barCells = 20;

function progressText(doing: string, done: number, total: number): string {
  if (total === 0) return doing;
  const part = Math.min(1, done / total);
  const cells = Math.floor(part * barCells);
  const bar = `${"█".repeat(cells)}${"░".repeat(barCells - cells)}`;
  return `${bar} ${Math.floor(part * 100)} % ${doing}`;
}

function auditOf({ auditVerified, auditHead, auditProblem }: MoveReport): string {
  if (auditProblem !== null) return auditProblem;
  return `${auditVerified} rows verified; row ${auditHead.seq} records the move`;
}
