// What a list shows while it has no objects at all: a sentence, a button that creates the first
// object, and a link to the documentation.

import type { ReactNode } from "react";
import type { Noun } from "../../api/contract/noun.ts";
import { DocsLink } from "../components/docs-link.tsx";
import type { DocsPage } from "../components/docs-pages.ts";
import { texts } from "../texts/index.ts";
import "./empty-list.css";
import { iconOf } from "./icons.ts";

const docs: Readonly<Record<string, DocsPage>> = {
  agents: "enrol",
  services: "sidecar",
  commands: "commands",
  rollouts: "rollouts",
  schedules: "schedules",
  approvals: "approvals",
  "registration-tokens": "enrol",
  "bus-routes": "bus",
  "bus-events": "bus",
  "api-keys": "keys",
  "approval-policies": "approvals",
};

interface EmptyListProps {
  noun: Noun;
  /** The button that creates the first object. */
  create?: ReactNode;
  /** Replaces the button. */
  children?: ReactNode;
}

export function EmptyList({ noun, create, children }: EmptyListProps) {
  const Icon = iconOf(noun);
  const page = docs[noun.noun];
  return (
    <div className="empty-list">
      <Icon aria-hidden="true" />
      <p>{noun.emptyPage ?? texts.words.nothingHere}</p>
      {children ?? create}
      {page && <DocsLink to={page} />}
    </div>
  );
}
