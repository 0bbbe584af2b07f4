// The page of one command, with its progress until it ends.

import { useEffect } from "react";
import { useParams } from "react-router";
import { hasEnded } from "../../../domain/commands/commands.ts";
import { isJsonObject } from "../../../domain/payload/json.ts";
import {
  type Command,
  type CommandState,
  noteCommand,
  readCommand,
  useCommandState,
} from "../../client/command.ts";
import { Failure } from "../../components/failure.tsx";
import { Page, Section } from "../../components/page.tsx";
import { statusText } from "../../format/status.ts";
import { duration } from "../../format/time.ts";
import { Loading, useUnsaidError } from "../../lists/loaded.tsx";
import { useLiveMessages, useLiveStatus } from "../../live/live.tsx";
import { usePageVisibility } from "../../live/visibility.ts";
import { NounLink } from "../../nouns/noun-link.tsx";
import { nouns, titleOf } from "../../nouns/nouns.ts";
import { AgentLink, ServiceLink } from "../../nouns/owner-links.tsx";
import { texts } from "../../texts/index.ts";
import { CommandSource } from "../../values/command-cells.tsx";
import { Elapsed } from "../../values/elapsed.tsx";
import { Facts } from "../../values/facts.tsx";
import { IdValue } from "../../values/id-value.tsx";
import { StatusBadge } from "../../values/status-badge.tsx";
import { Time } from "../../values/time.tsx";
import { ValueView } from "../../values/value-view.tsx";
import { CommandActions } from "./command-actions.tsx";
import { CommandResult, LateResult } from "./command-result.tsx";
import { CommandTrail } from "./command-trail.tsx";
import { CommandOutput } from "./output/command-output.tsx";
import "./command-page.css";

const words = texts.commands.detail;

export function Component() {
  const { commandId: id = "" } = useParams();
  const { command, secret, error } = useCommand(id);
  const parent = { to: "/commands", text: nouns.commands.title };
  const unsaid = useUnsaidError(error, command !== null);
  const failure = <Failure error={unsaid} onRetry={() => void readCommand(id)} />;
  if (!command) {
    return (
      <Page title={id} parent={parent}>
        {failure}
        {!error && <Loading />}
      </Page>
    );
  }
  const { status, type } = command;
  return (
    <Page
      title={titleOf(nouns.commands, command)}
      badge={<StatusBadge status={status} />}
      lead={hasEnded(command.status) ? <Ended command={command} /> : <Live command={command} />}
      parent={parent}
      actions={<CommandActions command={command} />}
    >
      {failure}
      <div role="status" className="visually-hidden">
        {statusText(status)}
      </div>
      <div className="with-rail">
        <div>
          {hasEnded(command.status) && <CommandResult command={command} secret={secret} />}
          {type === "ACTION_EXECUTE" && <CommandOutput command={command} />}
          {command.lateResult && <LateResult result={command.lateResult} />}
          {type === "ACTION_EXECUTE" && <Input command={command} />}
        </div>
        <div>
          <Section title={words.trail} card>
            <CommandTrail command={command} />
          </Section>
          <Section title={words.facts}>
            <CommandFacts command={command} />
          </Section>
        </div>
      </div>
    </Page>
  );
}

/** Shows what is happening, and for how long it has been happening. */
function Live({ command }: { command: Command }) {
  const { status, agentCode, deliveries, createdAt, startedAt, expiresAt } = command;
  const live = texts.commands.live;
  const since = Date.parse(startedAt ?? createdAt);
  const doing = status === "PENDING" ? live.pending : live.running;
  return (
    <>
      {doing({ agent: agentCode })}{" "}
      <Elapsed since={since} limitMs={Date.parse(expiresAt) - since} />
      {deliveries > 1 && ` ${live.deliveries({ many: deliveries })}`}
    </>
  );
}

/** Shows where the command ran, how long it took, and when it ended. */
function Ended({ command }: { command: Command }) {
  const { type, agentCode, durationMs, completedAt } = command;
  return (
    <>
      {type === "ACTION_PREPARE" && `${texts.commands.types[type]} · `}
      {agentCode}
      {durationMs !== null && ` · ${duration(durationMs)}`}
      {completedAt !== null && (
        <>
          {" · "}
          <Time at={completedAt} />
        </>
      )}
    </>
  );
}

/** Shows nothing if the payload is empty. */
function Input({ command: { payload, withheld } }: { command: Command }) {
  if (isJsonObject(payload) && Object.keys(payload).length === 0) return null;
  return (
    <Section title={texts.words.payload} card>
      <ValueView value={payload} label={texts.words.payload} />
      {withheld.length > 0 && <p className="muted small">{words.withheld}</p>}
    </Section>
  );
}

function CommandFacts({ command }: { command: Command }) {
  const { prepareCommandId, retryOf, expectedState, source, deliveries } = command;
  return (
    <Facts
      card
      facts={[
        [texts.words.service, <ServiceLink key="service" of={command} />],
        [texts.words.agent, <AgentLink key="agent" of={command} />],
        [texts.commands.by, <CommandSource key="source" source={source} />],
        [texts.actions.reason, command.reason],
        [texts.words.expires, !hasEnded(command.status) && <Time at={command.expiresAt} />],
        [texts.commands.deliveries, deliveries > 1 && deliveries],
        [words.prepare, prepareCommandId && <NounLink to="commands" id={prepareCommandId} />],
        [words.expectedState, expectedState && <code>{expectedState}</code>],
        [words.retryOf, retryOf && <NounLink to="commands" id={retryOf} />],
        [texts.words.id, <IdValue key="id" id={command.id} />],
      ]}
    />
  );
}

const waitSeconds = 10;
const pauseMs = 2_000;

/** Follows the command on the live stream, and with long polls while the stream is interrupted. */
function useCommand(id: string): CommandState {
  const state = useCommandState(id);
  const status = useLiveStatus();
  const isVisible = usePageVisibility();
  const isOpen = state.command !== null && !hasEnded(state.command.status);

  // biome-ignore lint/correctness/useExhaustiveDependencies: reads what has changed during an interruption
  useEffect(() => void readCommand(id), [id, status]);

  useLiveMessages((message) => {
    if (message.type === "command" && message.data.id === id) noteCommand(message.data);
    const isOurs = message.type === "audit" && message.data.targetId === id;
    if (isOurs && message.data.action === "command.result.late") void readCommand(id);
  });

  useEffect(() => {
    if (status !== "down" || !isOpen || !isVisible) return;
    let timer: number | undefined;
    let isLeft = false;
    const poll = async () => {
      await readCommand(id, waitSeconds);
      if (!isLeft) timer = window.setTimeout(() => void poll(), pauseMs);
    };
    void poll();
    return () => {
      isLeft = true;
      clearTimeout(timer);
    };
  }, [id, status, isOpen, isVisible]);

  return state;
}
