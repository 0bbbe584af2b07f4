// The page of one object: its name, its state, its acts and its content.

import type { UseQueryResult } from "@tanstack/react-query";
import type { ComponentProps, ComponentType, ReactNode } from "react";
import { valueIn } from "../../api/contract/cells.ts";
import type { Noun } from "../../api/contract/noun.ts";
import { capitalized } from "../../lib/capitalized.ts";
import type { Failing } from "../client/api-error.ts";
import { Page } from "../components/page.tsx";
import { Loaded } from "../lists/loaded.tsx";
import { StatusBadge } from "../values/status-badge.tsx";
import { listAddress } from "./addresses.ts";
import { DeclaredBadge } from "./declared.tsx";
import { NounActs } from "./noun-acts.tsx";
import { type NounName, type Row, titleOf } from "./nouns.ts";
import { StatusHelp } from "./status-help.tsx";

interface NounPageProps<T extends { id: string }> {
  noun: Noun;
  query: UseQueryResult<T, Failing>;
  frame?: ComponentType<ComponentProps<typeof Page>>;
  title?: string | undefined;
  lead?: string | undefined;
  /** Replaces the object's own state. */
  state?: string | null | undefined;
  badge?: ReactNode;
  /** Buttons that come before the acts. */
  actions?: ReactNode;
  /** Replaces the acts from the noun's description. */
  acts?: ReactNode;
  /** Shown below the object's content, even if the object cannot be read. */
  below?: ReactNode;
  children: (row: T) => ReactNode;
}

export function NounPage<T extends { id: string }>(props: NounPageProps<T>) {
  const { noun, query, frame: Frame = Page, title, lead, badge, actions, acts } = props;
  const row = query.data as Row | undefined;
  const state = noun.columns.find(({ kind }) => kind === "state");
  const name = noun.code && noun.name && row?.[noun.name];
  return (
    <Frame
      title={title ?? (row ? titleOf(noun, row) : capitalized(noun.one))}
      badge={
        row && (
          <>
            {state && <StatusBadge status={props.state ?? String(valueIn(row, state.of))} />}
            <StatusHelp noun={noun.noun} />
            {badge}
            <DeclaredBadge of={row} />
          </>
        )
      }
      lead={lead ?? (typeof name === "string" && name)}
      parent={{ to: listAddress(noun.noun), text: noun.title }}
      actions={
        row && (
          <>
            {/* The most common act comes last, on every page. */}
            {acts ?? <NounActs noun={noun.noun as NounName} row={row} />}
            {actions}
          </>
        )
      }
    >
      <Loaded query={query}>{props.children}</Loaded>
      {props.below}
    </Frame>
  );
}
