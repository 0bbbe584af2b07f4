// Shows a new registration token once, with commands for the agent's host (docs/guides/sidecar.md,
// docs/reference/agent-protocol.md).

import { useState } from "react";
import { Link } from "react-router";
import type { Reply } from "../../client/call.ts";
import { CommandLines } from "../../components/command-lines.tsx";
import { SecretDialog } from "../../components/dialogs/secret-dialog.tsx";
import { Sentence } from "../../components/text/sentence.tsx";
import { useLiveMessages } from "../../live/live.tsx";
import { addressOf } from "../../nouns/addresses.ts";
import { texts } from "../../texts/index.ts";
import { Time } from "../../values/time.tsx";

const words = texts.registrationTokens.once;

interface TokenOnceProps {
  token: Reply<"registration-tokens.create">;
  onClose: () => void;
}

export function TokenOnce({ token: created, onClose }: TokenOnceProps) {
  const { id, token, expiresAt, agentCode } = created;
  const ownCode = agentCode?.endsWith("*") ? null : agentCode;
  const [agent, setAgent] = useState<{ id: string | null; code: string } | null>(null);
  useLiveMessages((message) => {
    if (message.type !== "audit") return;
    const { targetType, targetId, metadata } = message.data;
    const { registrationTokenId, code } = metadata;
    if (registrationTokenId === id && typeof code === "string") {
      setAgent({ id: targetType === "agent" ? targetId : null, code });
    }
  });
  const { origin, hostname } = location;
  const curlCode = ownCode ?? words.exampleCode;
  return (
    <SecretDialog
      title={words.title}
      label={words.label}
      secret={token}
      warning={words.warning}
      wide
      onClose={onClose}
    >
      <p role="status">
        {agent !== null ? (
          <>
            {words.registered({ agent: agent.code })}{" "}
            {agent.id !== null && (
              <Link to={addressOf("agents", agent.id)}>{texts.registrationTokens.toAgent}</Link>
            )}
          </>
        ) : (
          <Sentence text={words.expires} parts={{ time: <Time at={expiresAt} /> }} />
        )}
      </p>
      <CommandLines
        title={words.sidecar}
        lead={words.sidecarLead}
        text={sidecarCommands(origin, token, ownCode)}
        copy={words.copySidecar}
      />
      <CommandLines
        title={words.curl}
        lead={words.curlLead({ code: curlCode })}
        text={curlCall(origin, token, curlCode)}
        copy={words.copyCurl}
      />
      {isLoopback(hostname) && <p className="muted small">{words.loopback}</p>}
    </SecretDialog>
  );
}

/** The first command writes a working `agent.yaml`; the second starts the agent. */
function sidecarCommands(server: string, token: string, code: string | null): string {
  const coded = code === null ? "" : ` --code ${code}`;
  return [
    `platform agent init --server ${server}${coded} > agent.yaml`,
    `PLATFORM_REGISTRATION_TOKEN=${token} platform agent run`,
  ].join("\n");
}

function curlCall(server: string, token: string, code: string): string {
  return [
    `curl -s ${server}/api/agents/register`,
    `-H 'Authorization: Bearer ${token}'`,
    `-H 'Content-Type: application/json'`,
    `-d '${JSON.stringify({ agent: { code, mode: "external" } })}'`,
  ].join(" \\\n  ");
}

function isLoopback(hostName: string): boolean {
  return /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostName);
}
