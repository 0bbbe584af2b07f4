import { ApiError } from "../client/api-error.ts";
import { problemText, texts } from "../texts/index.ts";
import { Button } from "./buttons/button.tsx";
import { softBreaks } from "./text/soft-breaks.tsx";
import "./failure.css";

export function Failure({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  if (error === null || error === undefined) return null;
  return (
    <div className="row failure tight" role="alert">
      <div>
        <p>{softBreaks(messageOf(error))}</p>
        {error instanceof ApiError && <FailureDetails error={error} />}
      </div>
      {onRetry && mayRecover(error) && <Button onClick={onRetry}>{texts.words.retry}</Button>}
    </div>
  );
}

/** Whether the same call can succeed later. Something that is missing does not come back. */
function mayRecover(error: unknown): boolean {
  return !(error instanceof ApiError && error.status === 404);
}

/** A problem that the console itself found. */
export function Alert({ text }: { text: string }) {
  return (
    <p className="field-error" role="alert">
      {text}
    </p>
  );
}

export function messageOf(error: unknown): string {
  return error instanceof ApiError
    ? problemText(error.code, error.message)
    : texts.words.unreachable;
}

/** What the server says besides its message. */
export function FailureDetails({ error }: { error: ApiError }) {
  const { code, issues, requestId, retryAfterSeconds } = error;
  // The server's message can end with the first issue.
  const others = issues.filter(({ message }) => !error.message.includes(message));
  return (
    <>
      {others.length > 0 && (
        <ul>
          {others.map(({ path, message }) => (
            <li key={`${path} ${message}`}>
              {path && <code>{softBreaks(path)}</code>} {softBreaks(message)}
            </li>
          ))}
        </ul>
      )}
      {retryAfterSeconds !== null && <p>{texts.words.retryIn({ seconds: retryAfterSeconds })}</p>}
      <details className="muted small">
        <summary>{texts.words.details}</summary>
        {messageOf(error) !== error.message && <p lang="en">{softBreaks(error.message)}</p>}
        {code}
        {requestId && ` · ${texts.words.requestId({ id: requestId })}`}
      </details>
    </>
  );
}
