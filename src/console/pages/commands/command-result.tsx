// The outcome of a command: its output, its one-time secret or its error.

import { isJsonObject } from "../../../domain/payload/json.ts";
import { type Command, hadSecret } from "../../client/command.ts";
import { useMay } from "../../client/session.ts";
import { Section } from "../../components/page.tsx";
import { softBreaks } from "../../components/text/soft-breaks.tsx";
import { SecretOnce } from "../../fields/secret-once.tsx";
import type { OfferedBy } from "../../results/offers.tsx";
import { ResultView } from "../../results/result-view.tsx";
import { texts } from "../../texts/index.ts";
import { Facts } from "../../values/facts.tsx";
import { StatusBadge } from "../../values/status-badge.tsx";
import { Time } from "../../values/time.tsx";
import { ValueView } from "../../values/value-view.tsx";
import { StateChanges } from "./state-changes.tsx";

const words = texts.commands.detail;
const secretWords = texts.commands.secret;

type Result = NonNullable<Command["result"]>;

export function CommandResult({ command, secret }: { command: Command; secret: string | null }) {
  const { status, result, errorCode, errorMessage, cancelOutcome } = command;
  const mayRead = useMay("operator");
  return (
    <Section title={words.result}>
      <div className={`card stack tight ${status === "FAILED" ? "command-failed" : ""}`}>
        {secret !== null && (
          <SecretOnce label={secretWords.label} secret={secret} warning={secretWords.warning} />
        )}
        {secret === null && hadSecret(command) && (
          <p className="command-note">{mayRead ? secretWords.gone : secretWords.forbidden}</p>
        )}
        {cancelOutcome && <p className="command-note">{words.cancelOutcome[cancelOutcome]}</p>}
        {errorCode !== null && <ErrorFacts code={errorCode} message={errorMessage} />}
        <StateChanges command={command} />
        {result && (
          <Output result={result} by={{ serviceId: command.serviceId, commandId: command.id }} />
        )}
        {(status === "CANCELLED" ? cancelOutcome === null : !result) && (
          <p className="muted">{words.noResult}</p>
        )}
      </div>
    </Section>
  );
}

/** Shows a result that arrived after the command had already ended. */
export function LateResult({ result }: { result: Result }) {
  const error = isJsonObject(result.error) ? result.error : {};
  // With this error, the agent reports that it has stopped the command.
  const wasStopped = error.code === "COMMAND_CANCELLED";
  const status = result.success ? "SUCCEEDED" : wasStopped ? "CANCELLED" : "FAILED";
  return (
    <Section title={words.lateResult}>
      <div className="card stack tight">
        <p className="command-note">
          {words.lateWhy} <Time at={result.receivedAt} />
        </p>
        <StatusBadge status={status} />
        {status === "FAILED" && <ErrorFacts code={error.code} message={error.message} />}
        <Output result={result} />
      </div>
    </Section>
  );
}

export function ErrorFacts({ code, message }: { code: unknown; message: unknown }) {
  return (
    <Facts
      facts={[
        [texts.commands.error, typeof code === "string" && <code>{code}</code>],
        [texts.words.message, typeof message === "string" && message],
      ]}
    />
  );
}

interface OutputProps {
  result: Result;
  by?: OfferedBy;
}

function Output({ result: { success, output, message, error }, by }: OutputProps) {
  // The error's code and message are already shown.
  const details = isJsonObject(error) ? (error.details ?? undefined) : error;
  const isCut = isJsonObject(output) && output.truncated === true;
  return (
    <>
      {success && message && <p>{softBreaks(message)}</p>}
      {isCut && <p className="command-note">{words.truncated}</p>}
      {output !== undefined && output !== null ? (
        <ResultView value={output} label={words.result} by={by} />
      ) : (
        success && <p className="muted">{words.succeeded}</p>
      )}
      {details !== undefined && (
        <>
          <h3>{words.errorDetails}</h3>
          <ValueView value={details} label={words.errorDetails} />
        </>
      )}
    </>
  );
}
