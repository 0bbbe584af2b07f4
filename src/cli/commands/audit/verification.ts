import type { Reply } from "../../../api/index.ts";
import type { ChainLink } from "../../../domain/audit/audit-events.ts";
import { restoreThatMayHaveReplaced } from "../../../domain/audit/past-restores.ts";
import { counted } from "../../../lib/counted.ts";
import type { Invocation } from "../../command.ts";
import { CliError, exit } from "../../exit.ts";
import { printOne, section, type View } from "../../output/output.ts";
import { printableLine } from "../../output/printable.ts";
import type { Io } from "../../terminal/io.ts";
import { startProgress } from "../../terminal/progress.ts";
import { checkAnchorPlace, readAnchor, writeAnchor } from "./anchor-file.ts";

type Verification = Reply<"audit-events.verify">;
type Restores = Verification["restores"];

/** Verifying a long trail takes minutes. */
const timeoutMs = 3_600_000;

const view: View<Verification> = {
  columns: [
    { name: "verdict", value: ({ ok }) => (ok ? "SOUND" : "BROKEN"), kind: "state" },
    { name: "broken at", value: ({ broken }) => broken?.seq },
    { name: "because", value: ({ broken }) => broken?.reason },
    { name: "lost", value: ({ acceptedLoss }) => acceptedLoss && lostInWords(acceptedLoss) },
    { name: "accepted", value: ({ acceptedLoss }) => acceptedLoss?.at, kind: "time" },
    { name: "checked", value: ({ checked }) => counted(checked, "row") },
    { name: "first", value: ({ firstSeq }) => firstSeq },
    { name: "last", value: ({ lastSeq }) => lastSeq },
    { name: "hash", value: ({ head }) => head?.hash, kind: "key" },
    { name: "since", value: ({ since }) => since && `row ${since.seq}` },
    { name: "verified", value: ({ since }) => since?.at, kind: "time" },
    { name: "last full", value: ({ since }) => since?.fullAt, kind: "time" },
    { name: "pruned to", value: ({ checkpoint }) => checkpoint?.seq },
    { name: "pruned", value: ({ checkpoint }) => checkpoint?.at, kind: "time" },
    { name: "anchor", value: ({ anchor }) => anchor && `row ${anchor.seq} ${anchor.state}` },
  ],
  nameOf: ({ ok }) => (ok ? "SOUND" : "BROKEN"),
};

function lostInWords({ lostRow, by, seq }: NonNullable<Verification["acceptedLoss"]>): string {
  return `earlier rows up to ${lostRow}; accepted by ${by ?? "unknown"} in row ${seq}`;
}

/** Leaves out restores that replaced no rows. */
function restoresInWords(restores: Restores): string[] {
  const known = restores.filter(
    ({ auditHead, replacedHead }) => !replacedHead || replacedHead.hash !== auditHead?.hash,
  );
  const lines = known.map(({ seq, restoredAt, by, auditHead, replacedHead }) => {
    const who = printableLine(by ?? "unknown");
    const first = `row ${seq}: restored up to row ${auditHead?.seq ?? 0} by ${who} at ${restoredAt}`;
    const replaced = replacedHead
      ? `replaced rows up to ${replacedHead.seq}:\n  ${replacedHead.hash}`
      : "what it replaced had no rows, or could not be read";
    return `${first}\n  ${replaced}`;
  });
  return lines.length === 0 ? [] : [section("Restores", lines.join("\n"))];
}

/** For a trail that is sound, except that a restore has replaced the anchor's row. */
function viewWithoutAnchor({ columns, ...rest }: View<Verification>): View<Verification> {
  const verdict = "SOUND except for the anchor, whose row a restore has replaced";
  const [first, ...others] = columns;
  return {
    ...rest,
    columns: [...(first ? [{ ...first, value: () => verdict }] : []), ...others],
  };
}

function noteReplacedAnchor(
  io: Io,
  anchor: ChainLink,
  { replacedHead, ...restore }: Restores[number],
): void {
  const restoredAt = printableLine(restore.restoredAt);
  const what =
    replacedHead?.hash === anchor.hash
      ? `A restore at ${restoredAt} replaced row ${anchor.seq}, so this anchor no longer matches.`
      : `A restore at ${restoredAt} may have replaced row ${anchor.seq}. If this anchor is from ` +
        "before that restore, it no longer matches; otherwise, the trail has lost rows since.";
  io.note(`${what} \`platform docs backup\` says how to check it, and when to save a new one.\n`);
}

/** Throws if the trail is broken. */
export async function verifyAuditEvents(invocation: Invocation): Promise<void> {
  const { io, options, signal, client } = invocation;
  const given = options as { anchor?: string; saveAnchor?: string; incremental?: boolean };
  const { anchor, saveAnchor, incremental = false } = given;
  const known = anchor === undefined ? null : await readAnchor(io, anchor, signal);
  if (saveAnchor !== undefined) checkAnchorPlace(saveAnchor);
  const query = {
    ...(known ? { anchorSeq: known.seq, anchorHash: known.hash } : {}),
    ...(incremental ? { incremental } : {}),
  };
  const api = await client();
  const progress = startProgress(io, "verifying the audit trail");
  const call = (asked: typeof query) =>
    api.call("audit-events.verify", { query: asked }, { timeoutMs });
  const verify = async () => {
    const found = await call(query);
    // An older server does not list the restores.
    const { restores = [] } = found as Partial<Verification>;
    const isMissing = known !== null && found.anchor?.state === "MISSING";
    const restore = isMissing ? restoreThatMayHaveReplaced(known, restores) : undefined;
    const isReplaced = restore?.replacedHead?.hash === known?.hash && restore !== undefined;
    // If the second verification fails, the result of the first one still counts.
    const isElseSound = isReplaced && (await call({}).catch(() => null))?.ok === true;
    return { found, restores, restore, isElseSound };
  };
  const verified = await verify().finally(progress[Symbol.dispose]);
  const { found, restores, restore, isElseSound } = verified;
  const shown = isElseSound ? viewWithoutAnchor(view) : view;
  printOne(io, options, found, shown, () => restoresInWords(restores));
  if (found.broken) {
    const { seq, reason } = found.broken;
    if (known && restore) noteReplacedAnchor(io, known, restore);
    const message = isElseSound
      ? `the audit trail does not have the anchor's row ${seq}. Everything else in it verifies.`
      : `the audit trail is broken at row ${seq}: ${reason}. ` +
        "`platform docs audit` says what to do.";
    throw new CliError(exit.failed, message, { code: "AUDIT_BROKEN", details: { seq, reason } });
  }
  // An older server has no such field, and ignores the flag.
  if (incremental && !found.since) {
    io.note("The whole trail was read: there is no earlier verification to continue from.\n");
  }
  if (found.anchor?.state === "PRUNED") {
    io.note(
      `The anchor's row ${found.anchor.seq} was pruned, so the anchor proves nothing. Use a newer anchor.\n`,
    );
  }
  if (saveAnchor !== undefined) await save(io, saveAnchor, found);
}

async function save(io: Io, path: string, { head }: Verification): Promise<void> {
  if (head) await writeAnchor(path, head);
  else io.note("The trail has no rows yet, so there is no anchor to save.\n");
}
