// The part of a dialog that says which policies require approval, and lets owners bypass them.

import { useState } from "react";
import { useMay } from "../client/session.ts";
import { TextField } from "../fields/inputs.tsx";
import { namedList } from "../format/named-list.ts";
import { texts } from "../texts/index.ts";
import "./approvals.css";

const words = texts.approvals;

export interface BypassState {
  isBroken: boolean;
  /** Whether the form cannot be submitted yet, because the reason is missing. */
  isHeld: boolean;
  /** What the request's body needs to bypass approval. */
  body: { breakGlass?: string };
  reason: string;
  setBroken: (isBroken: boolean) => void;
  setReason: (reason: string) => void;
}

export function useBypassState(isBrokenAtFirst = false): BypassState {
  const [isBroken, setBroken] = useState(isBrokenAtFirst);
  const [reason, setReason] = useState("");
  const why = reason.trim();
  return {
    isBroken,
    isHeld: isBroken && why === "",
    body: isBroken ? { breakGlass: why } : {},
    reason,
    setBroken,
    setReason,
  };
}

/** Returns the text of the submit button, which is `verb` if no policy requires approval. */
export function verbWith(policies: readonly string[], glass: BypassState, verb: string): string {
  if (glass.isBroken) return words.glass.verb;
  return policies.length > 0 ? words.needed.verb : verb;
}

/** Shows nothing if no policy requires approval. */
export function ApprovalNeeded({
  policies,
  glass,
}: {
  policies: readonly string[];
  glass: BypassState;
}) {
  const mayBreak = useMay("owner");
  if (policies.length === 0) return null;
  return (
    <div className="card note approval-needed">
      <p>{words.needed.text({ count: policies.length, policies: namedList(policies) })}</p>
      {mayBreak && (
        <label className="row">
          <input
            type="checkbox"
            checked={glass.isBroken}
            onChange={({ target }) => glass.setBroken(target.checked)}
          />
          {words.glass.label}
        </label>
      )}
      {glass.isBroken && <GlassReason glass={glass} />}
    </div>
  );
}

export function GlassReason({ glass }: { glass: BypassState }) {
  return (
    <div className="glass">
      <p>{words.glass.loud}</p>
      <TextField
        label={words.glass.reason}
        required
        maxLength={500}
        value={glass.reason}
        onChange={glass.setReason}
      />
    </div>
  );
}
