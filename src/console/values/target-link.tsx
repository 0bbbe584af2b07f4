// What something was done to, as a link to its page where it has one that the reader may see.

import type { ReactNode } from "react";
import { shortId } from "../format/ids.ts";
import { NounLink } from "../nouns/noun-link.tsx";
import { findNoun } from "../nouns/nouns.ts";

interface Target {
  targetType: string;
  targetId: string | null;
}

/** The words are a link where there is a page. */
export function ToTarget({ of, children }: { of: Target; children: ReactNode }) {
  const { targetType, targetId } = of;
  const noun = `${targetType.replaceAll("_", "-")}s`;
  if (targetId === null || !findNoun(noun)) return <>{children}</>;
  return (
    <NounLink to={noun} id={targetId}>
      {children}
    </NounLink>
  );
}

interface TargetLinkProps {
  of: Target;
  /** What it is called, in the place of its short id. */
  name?: string | null;
  /** There is room for the whole id. */
  whole?: boolean;
}

/** Its kind, and its name or its id. */
export function TargetLink({ of, name, whole = false }: TargetLinkProps) {
  const { targetType, targetId } = of;
  return (
    <span>
      <span className="muted small">{targetType}</span>{" "}
      {targetId !== null && (
        <ToTarget of={of}>
          {whole ? targetId : <span title={targetId}>{name ?? shortId(targetId)}</span>}
        </ToTarget>
      )}
    </span>
  );
}
