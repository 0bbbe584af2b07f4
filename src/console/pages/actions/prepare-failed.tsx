// Why an action could not be prepared: what it means, what the agent itself says, and what can be done.

import { ApiError } from "../../client/api-error.ts";
import { Button, ButtonLink } from "../../components/button.tsx";
import { Failure } from "../../components/failure.tsx";
import { NounLink } from "../../nouns/noun-link.tsx";
import { texts } from "../../texts/index.ts";
import { Facts } from "../../values/facts.tsx";

const words = texts.actions.failed;

interface PrepareFailedProps {
  error: unknown;
  agentId: string | undefined;
  onAgain: () => void;
  /** Absent where there is nothing to go on with. */
  onWithout?: (() => void) | undefined;
}

export function PrepareFailed({ error, agentId, onAgain, onWithout }: PrepareFailedProps) {
  const advice = error instanceof ApiError ? words.advice[error.code] : undefined;
  return (
    <section className="card action-failed" aria-label={words.title}>
      <h2>{words.title}</h2>
      {advice && <p>{advice}</p>}
      {error instanceof ApiError && error.code === "ACTION_PREPARE_FAILED" ? (
        <AgentSays error={error} />
      ) : (
        <Failure error={error} />
      )}
      <div className="row">
        <Button kind="primary" onClick={onAgain}>
          {texts.actions.prepareAgain}
        </Button>
        {onWithout && <Button onClick={onWithout}>{words.without}</Button>}
        {agentId && <ButtonLink to={`/agents/${agentId}`}>{words.toAgent}</ButtonLink>}
      </div>
      {onWithout && <p className="muted small">{words.withoutWhy}</p>}
    </section>
  );
}

function AgentSays({ error }: { error: ApiError }) {
  const { code, message, commandId } = error.details;
  return (
    <div role="alert">
      <Facts
        facts={[
          [words.agentSays, typeof message === "string" ? message : error.message],
          [words.code, typeof code === "string" && <code>{code}</code>],
          [
            words.command,
            typeof commandId === "string" && (
              <NounLink to="commands" id={commandId}>
                <code>{commandId}</code>
              </NounLink>
            ),
          ],
        ]}
      />
    </div>
  );
}
