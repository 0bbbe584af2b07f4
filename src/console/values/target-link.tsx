// The target of an audit event, with a link to the target's page if the user may open it.

import type { ReactNode } from "react";
import { softBreaks } from "../components/text/soft-breaks.tsx";
import { shortId } from "../format/ids.ts";
import { NounLink } from "../nouns/noun-link.tsx";
import { findNoun } from "../nouns/nouns.ts";
import { texts } from "../texts/index.ts";

interface Target {
  targetType: string;
  targetId: string | null;
}

export function ToTarget({ of, children }: { of: Target; children: ReactNode }) {
  const { targetType, targetId } = of;
  const noun = nounOf(targetType);
  if (targetId === null || !findNoun(noun)) return <>{children}</>;
  return (
    <NounLink to={noun} id={targetId}>
      {children}
    </NounLink>
  );
}

function nounOf(targetType: string): string {
  return targetType === "policy" ? "approval-policies" : `${targetType.replaceAll("_", "-")}s`;
}

/** Returns the word for a type, such as `saved view`, or the type itself if it is unknown. */
export function targetWord(targetType: string): string {
  const others: Readonly<Record<string, string>> = texts.audit.targets;
  return others[targetType] ?? findNoun(nounOf(targetType))?.one ?? targetType;
}

interface TargetLinkProps {
  of: Target;
  /** A text to show instead of the short id. */
  name?: string | null;
  /** Shows the complete id. */
  whole?: boolean;
}

export function TargetLink({ of, name, whole = false }: TargetLinkProps) {
  const { targetType, targetId } = of;
  return (
    <span>
      <span className="muted small">{targetWord(targetType)}</span>{" "}
      {targetId !== null && (
        <ToTarget of={of}>
          {whole ? targetId : <span title={targetId}>{softBreaks(name ?? shortId(targetId))}</span>}
        </ToTarget>
      )}
    </span>
  );
}
