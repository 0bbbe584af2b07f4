import { useEffect, useRef, useState } from "react";
import { dumpProgram } from "../../../domain/storage/postgres-tools.ts";
import { formatBytes } from "../../../lib/bytes.ts";
import { ApiError, Unreachable } from "../../client/api-error.ts";
import { useCall } from "../../client/queries.ts";
import { Button } from "../../components/buttons/button.tsx";
import { Failure } from "../../components/failure.tsx";
import { Sentence } from "../../components/text/sentence.tsx";
import { texts } from "../../texts/index.ts";
import { filePicker, type ReceivedBackup, receiveBackup } from "./backup-download.ts";

const words = texts.settings.backup;

/** From this size on, a backup is written to a file instead of memory, if the browser can do so. */
const largeBytes = 256 * 1024 * 1024;

type BackupState =
  | { kind: "idle" }
  /** `done` is 0 until the first byte arrives. */
  | { kind: "receiving"; done: number; all: number | null }
  | { kind: "saved"; backup: ReceivedBackup }
  | { kind: "failed"; error: unknown };

export function BackupTab() {
  const [state, setState] = useState<BackupState>({ kind: "idle" });
  const { data } = useCall("diagnostics.get", {});
  // The size of the database file does not include the write-ahead log.
  const sizeBytes = data ? data.database.pageCount * data.database.pageSizeBytes : null;
  const isLarge = sizeBytes !== null && sizeBytes >= largeBytes && filePicker() !== null;
  const stop = useRef<AbortController>(null);
  useEffect(() => () => stop.current?.abort(), []);

  const make = async () => {
    const file = isLarge ? await pickFile() : null;
    if (file === "cancelled") return;
    const stopping = new AbortController();
    stop.current = stopping;
    const { signal } = stopping;
    setState({ kind: "receiving", done: 0, all: null });
    try {
      const backup = await receiveBackup(file, signal, (done, all) =>
        setState({ kind: "receiving", done, all }),
      );
      setState({ kind: "saved", backup });
    } catch (error) {
      setState(signal.aborted ? { kind: "idle" } : { kind: "failed", error });
    }
  };
  const isBusy = state.kind === "receiving";
  if (data?.database.engine === "postgresql") {
    return (
      <div className="card settings-backup">
        <p>{words.postgresql}</p>
        <p>
          <code>{dumpProgram} --dbname=…</code>
        </p>
        <p>{words.keys}</p>
      </div>
    );
  }
  return (
    <div className="card settings-backup">
      <p>{words.says}</p>
      <p>{words.keys}</p>
      {sizeBytes !== null && (
        <p>
          <Sentence text={words.size} parts={{ size: <strong>{formatBytes(sizeBytes)}</strong> }} />{" "}
          {isLarge && words.large}
        </p>
      )}
      <div className="row">
        <Button kind="primary" busy={isBusy} onClick={() => void make()}>
          {words.make}
        </Button>
        {isBusy && <Button onClick={() => stop.current?.abort()}>{texts.words.stop}</Button>}
      </div>
      {isBusy && <Progress done={state.done} all={state.all} />}
      {state.kind === "failed" && <BackupFailure error={state.error} />}
      <div role="status">{state.kind === "saved" && <Saved backup={state.backup} />}</div>
    </div>
  );
}

/** Returns null if the browser does not support or allow this. */
async function pickFile(): Promise<FileSystemFileHandle | "cancelled" | null> {
  try {
    return (await filePicker()?.({ suggestedName: "platform.db" })) ?? null;
  } catch (error) {
    return error instanceof DOMException && error.name === "AbortError" ? "cancelled" : null;
  }
}

function Progress({ done, all }: { done: number; all: number | null }) {
  const text =
    done === 0
      ? words.making
      : all === null
        ? words.receiving({ done: formatBytes(done) })
        : words.receivingOf({ done: formatBytes(done), all: formatBytes(all) });
  return (
    <>
      <p>{text}</p>
      <progress
        aria-label={words.progress}
        max={all ?? undefined}
        value={all === null || done === 0 ? undefined : done}
      />
    </>
  );
}

function BackupFailure({ error }: { error: unknown }) {
  const isElsewhere = error instanceof ApiError && error.code === "RATE_LIMITED";
  if (!isElsewhere && !(error instanceof Unreachable)) return <Failure error={error} />;
  return (
    <div className="row failure tight" role="alert">
      <p>{isElsewhere ? words.elsewhere : words.cutOff}</p>
    </div>
  );
}

function Saved({ backup: { fileName, sizeBytes, sha256, verdict } }: { backup: ReceivedBackup }) {
  return (
    <div className={verdict === "other" ? "row failure tight" : undefined}>
      <p>{words.saved({ name: fileName, size: formatBytes(sizeBytes) })}</p>
      <p>{words.verdicts[verdict]}</p>
      {sha256 !== null && (
        <p>
          {words.digest}
          {texts.words.colon}
          <code>{sha256}</code>
        </p>
      )}
    </div>
  );
}
