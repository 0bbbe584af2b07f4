// One command: what runs or has run, how it ended, what it gave, and all that has happened to it.

import { useParams } from "react-router";
import { isJsonObject, type Json } from "../../../domain/payload/json.ts";
import { type Command, hasEnded, readCommand } from "../../client/command.ts";
import { Failure } from "../../components/failure.tsx";
import { Page, Section } from "../../components/page.tsx";
import { duration } from "../../format/time.ts";
import { NounLink } from "../../nouns/noun-link.tsx";
import { nouns } from "../../nouns/nouns.ts";
import { texts } from "../../texts/index.ts";
import { CommandSource } from "../../values/command-cells.tsx";
import { Facts } from "../../values/facts.tsx";
import { StatusBadge } from "../../values/status-badge.tsx";
import { Time } from "../../values/time.tsx";
import { ValueView } from "../../values/value-view.tsx";
import { CommandActions } from "./command-actions.tsx";
import { CommandLive } from "./command-live.tsx";
import { CommandResult, LateResult } from "./command-result.tsx";
import { CommandTrail } from "./command-trail.tsx";
import { useCommand } from "./use-command.ts";
import "./command-page.css";

const words = texts.commands.detail;

export function Component() {
  const { commandId = "" } = useParams();
  return <Followed key={commandId} id={commandId} />;
}

function Followed({ id }: { id: string }) {
  const { command, secret, error } = useCommand(id);
  const parent = { to: "/commands", text: nouns.commands.title };
  if (!command) {
    return (
      <Page title={id} parent={parent}>
        <Failure error={error} onRetry={() => void readCommand(id)} />
        {!error && (
          <p className="muted" role="status">
            {texts.words.loading}
          </p>
        )}
      </Page>
    );
  }
  return (
    <Page
      title={words.title(command.action, command.serviceCode)}
      badge={<StatusBadge status={command.status} />}
      lead={texts.commands.types[command.type]}
      parent={parent}
      actions={<CommandActions command={command} />}
    >
      <Failure error={error} onRetry={() => void readCommand(id)} />
      <div role="status" className="visually-hidden">
        {command.status}
      </div>
      {hasEnded(command) ? (
        <CommandResult command={command} secret={secret} />
      ) : (
        <CommandLive command={command} />
      )}
      {command.lateResult && <LateResult result={command.lateResult} />}
      <Section title={words.trail}>
        <CommandTrail command={command} />
      </Section>
      {command.type === "ACTION_EXECUTE" && (
        <Section title={texts.words.payload}>
          <Payload value={command.payload} />
          {command.withheld.length > 0 && <p className="muted small">{words.withheld}</p>}
        </Section>
      )}
      <Section title={words.facts}>
        <CommandFacts command={command} />
      </Section>
    </Page>
  );
}

function Payload({ value }: { value: Json }) {
  const isEmpty = isJsonObject(value) && Object.keys(value).length === 0;
  if (isEmpty) return <p className="muted">{words.noPayload}</p>;
  return (
    <div className="card">
      <ValueView value={value} label={texts.words.payload} />
    </div>
  );
}

function CommandFacts({ command }: { command: Command }) {
  const { prepareCommandId, retryOf, durationMs, source } = command;
  return (
    <div className="card">
      <Facts
        facts={[
          [words.id, <code key="id">{command.id}</code>],
          [
            texts.words.service,
            <NounLink to="services" key="service" id={command.serviceId}>
              {command.serviceCode}
            </NounLink>,
          ],
          [
            texts.words.agent,
            <NounLink to="agents" key="agent" id={command.agentId}>
              {command.agentCode}
            </NounLink>,
          ],
          [texts.commands.by, <CommandSource key="source" source={source} />],
          [words.reason, command.reason],
          [words.created, <Time key="created" at={command.createdAt} />],
          [words.started, command.startedAt && <Time at={command.startedAt} />],
          [words.completed, command.completedAt && <Time at={command.completedAt} />],
          [words.expires, !hasEnded(command) && <Time at={command.expiresAt} />],
          [texts.commands.duration, durationMs !== null && duration(durationMs)],
          [texts.commands.deliveries, command.deliveries],
          [words.prepare, prepareCommandId && <NounLink to="commands" id={prepareCommandId} />],
          [words.retryOf, retryOf && <NounLink to="commands" id={retryOf} />],
        ]}
      />
    </div>
  );
}
