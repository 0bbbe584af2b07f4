// A registration token that was just created, and what to do with it: shown this once.

import { useState } from "react";
import { Button } from "../../components/button.tsx";
import { CopyButton } from "../../components/copy-button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { SecretOnce } from "../../fields/secret-once.tsx";
import { useLiveMessages } from "../../live/live.tsx";
import { texts } from "../../texts/index.ts";
import { Time } from "../../values/time.tsx";
import { curlCall, isLoopback, sidecarCommands } from "./command-lines.ts";
import "./token-once.css";

const words = texts.registrationTokens.once;

interface TokenOnceProps {
  token: { id: string; token: string; expiresAt: string | null; agentCode: string | null };
  onClose: () => void;
}

export function TokenOnce({ token: created, onClose }: TokenOnceProps) {
  const { id, token, expiresAt, agentCode } = created;
  const ownCode = agentCode?.endsWith("*") ? null : agentCode;
  const [agent, setAgent] = useState<string | null>(null);
  useLiveMessages((message) => {
    if (message.type !== "audit") return;
    const { registrationTokenId, code } = message.data.metadata;
    if (registrationTokenId === id && typeof code === "string") setAgent(code);
  });
  const { origin } = location;
  return (
    <Dialog
      title={words.title}
      wide
      onClose={onClose}
      isHeld
      actions={
        <Button kind="primary" onClick={onClose}>
          {texts.words.close}
        </Button>
      }
    >
      <SecretOnce label={words.label} secret={token} warning={words.warning} />
      <p role="status">
        {agent !== null && words.registered(agent)}
        {agent === null && (
          <>
            {words.expires} <Time at={expiresAt} />.
          </>
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
        lead={words.curlLead(ownCode ?? words.exampleCode)}
        text={curlCall(origin, token, ownCode ?? words.exampleCode)}
        copy={words.copyCurl}
      />
      {isLoopback(location.hostname) && <p className="muted small">{words.loopback}</p>}
    </Dialog>
  );
}

interface CommandLinesProps {
  title: string;
  lead: string;
  text: string;
  copy: string;
}

function CommandLines({ title, lead, text, copy }: CommandLinesProps) {
  return (
    <section className="token-commands" aria-label={title}>
      <h3>{title}</h3>
      <p className="muted small">{lead}</p>
      <pre>{text}</pre>
      <CopyButton text={text} label={copy} />
    </section>
  );
}
