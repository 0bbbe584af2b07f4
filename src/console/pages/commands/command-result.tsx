// How a command ended: what it gave, its secret while there is one, or what went wrong.

import { isJsonObject, type Json } from "../../../domain/payload/json.ts";
import { type Command, hadSecret } from "../../client/command.ts";
import { useMay } from "../../client/session.ts";
import { Section } from "../../components/page.tsx";
import { SecretOnce } from "../../fields/secret-once.tsx";
import { texts } from "../../texts/index.ts";
import { Facts } from "../../values/facts.tsx";
import { StatusBadge } from "../../values/status-badge.tsx";
import { Time } from "../../values/time.tsx";
import { ValueView } from "../../values/value-view.tsx";

const words = texts.commands.detail;
const ofSecrets = texts.commands.secret;

type Result = NonNullable<Command["result"]>;

export function CommandResult({ command, secret }: { command: Command; secret: string | null }) {
  const { status, result, errorCode, errorMessage, cancelOutcome } = command;
  return (
    <Section title={words.result}>
      <div className="card command-result">
        {secret !== null && (
          <SecretOnce label={ofSecrets.label} secret={secret} warning={ofSecrets.warning} />
        )}
        {secret === null && hadSecret(command) && <SecretGone />}
        {cancelOutcome && <p className="command-note">{words.cancelOutcome[cancelOutcome]}</p>}
        {errorCode !== null && (
          <Facts
            facts={[
              [texts.commands.error, <code key="code">{errorCode}</code>],
              [texts.words.message, errorMessage],
            ]}
          />
        )}
        {result ? (
          <Output result={result} />
        ) : (
          status !== "CANCELLED" && <p className="muted">{words.noResult}</p>
        )}
        {status === "CANCELLED" && cancelOutcome === null && (
          <p className="muted">{words.noResult}</p>
        )}
      </div>
    </Section>
  );
}

/** What came after the command had ended another way. */
export function LateResult({ result }: { result: Result }) {
  const error = isJsonObject(result.error) ? result.error : {};
  return (
    <Section title={words.lateResult}>
      <div className="card command-result">
        <p className="command-note">
          {words.lateWhy} <Time at={result.receivedAt} />
        </p>
        <StatusBadge status={result.success ? "SUCCEEDED" : "FAILED"} />
        {!result.success && (
          <Facts
            facts={[
              [texts.commands.error, typeof error.code === "string" && <code>{error.code}</code>],
              [texts.words.message, typeof error.message === "string" && error.message],
            ]}
          />
        )}
        <Output result={result} />
      </div>
    </Section>
  );
}

function Output({ result }: { result: Result }) {
  const { success, output, message } = result;
  const details = detailsOf(result.error);
  const isCut = isJsonObject(output) && output.truncated === true;
  return (
    <>
      {success && message && <p>{message}</p>}
      {isCut && <p className="command-note">{words.truncated}</p>}
      {output !== undefined && output !== null ? (
        <ValueView value={output} label={words.result} />
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

function SecretGone() {
  const mayRead = useMay("operator");
  return <p className="command-note">{mayRead ? ofSecrets.gone : ofSecrets.forbidden}</p>;
}

/** Code and message are shown already. */
function detailsOf(error: Json | undefined): Json | undefined {
  if (!isJsonObject(error)) return error;
  return error.details ?? undefined;
}
