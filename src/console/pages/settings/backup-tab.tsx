// A backup at the press of a button: made, received, compared, saved.

import { useEffect, useRef, useState } from "react";
import { formatBytes } from "../../../lib/bytes.ts";
import { ApiError, Unreachable } from "../../client/api-error.ts";
import { useCall } from "../../client/queries.ts";
import { Button } from "../../components/button.tsx";
import { Failure } from "../../components/failure.tsx";
import { texts } from "../../texts/index.ts";
import { type ReceivedBackup, receiveBackup } from "./backup-download.ts";
import { filePicker, fileSink, largeBytes, memorySink, type Sink } from "./backup-sink.ts";

const words = texts.settings.backup;

type BackupState =
  | { kind: "idle" }
  /** `done` is 0 until the first byte arrives. */
  | { kind: "receiving"; done: number; all: number | null }
  | { kind: "saved"; backup: ReceivedBackup }
  | { kind: "failed"; error: unknown };

export function BackupTab() {
  const [state, setState] = useState<BackupState>({ kind: "idle" });
  const { data } = useCall("diagnostics.get", {});
  // The file's own size leaves out what is written ahead of it.
  const sizeBytes = data ? data.database.pageCount * data.database.pageSizeBytes : null;
  const isLarge = sizeBytes !== null && sizeBytes >= largeBytes && filePicker() !== null;
  const stop = useRef<AbortController>(null);
  useEffect(() => () => stop.current?.abort(), []);

  const make = async () => {
    const sink = await openSink(isLarge);
    if (sink === null) return;
    const controller = new AbortController();
    stop.current = controller;
    setState({ kind: "receiving", done: 0, all: null });
    try {
      const backup = await receiveBackup(sink, controller.signal, (done, all) =>
        setState({ kind: "receiving", done, all }),
      );
      setState({ kind: "saved", backup });
    } catch (error) {
      setState(controller.signal.aborted ? { kind: "idle" } : { kind: "failed", error });
    }
  };
  const isBusy = state.kind === "receiving";
  return (
    <div className="card settings-backup">
      <p>{words.says}</p>
      <p>{words.keys}</p>
      {sizeBytes !== null && (
        <p>
          {words.size} <strong>{formatBytes(sizeBytes)}</strong>. {isLarge && words.large}
        </p>
      )}
      <div className="row">
        <Button kind="primary" busy={isBusy} onClick={() => void make()}>
          {words.make}
        </Button>
        {isBusy && <Button onClick={() => stop.current?.abort()}>{words.stop}</Button>}
      </div>
      {isBusy && <Progress done={state.done} all={state.all} />}
      {state.kind === "failed" && <BackupFailure error={state.error} />}
      <div role="status">{state.kind === "saved" && <Saved backup={state.backup} />}</div>
    </div>
  );
}

/** Null when the person has thought better of it. */
async function openSink(isLarge: boolean): Promise<Sink | null> {
  const pick = isLarge ? filePicker() : null;
  if (!pick) return memorySink();
  try {
    return await fileSink(await pick({ suggestedName: "platform.db" }));
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") return null;
    return memorySink();
  }
}

function Progress({ done, all }: { done: number; all: number | null }) {
  const text =
    done === 0
      ? words.making
      : all === null
        ? words.receiving(formatBytes(done))
        : words.receivingOf(formatBytes(done), formatBytes(all));
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
  const isCutOff = error instanceof Unreachable;
  if (!isElsewhere && !isCutOff) return <Failure error={error} />;
  return (
    <div className="row failure" role="alert">
      <p>{isElsewhere ? words.elsewhere : words.cutOff}</p>
    </div>
  );
}

function Saved({ backup: { fileName, sizeBytes, sha256, verdict } }: { backup: ReceivedBackup }) {
  return (
    <div className={verdict === "other" ? "row failure" : undefined}>
      <p>{words.saved(fileName, formatBytes(sizeBytes))}</p>
      <p>{words.verdicts[verdict]}</p>
      {sha256 !== null && (
        <p>
          {words.digest}: <code>{sha256}</code>
        </p>
      )}
    </div>
  );
}
