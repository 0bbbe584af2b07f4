import type { ReactNode } from "react";
import { softBreaks } from "../components/text/soft-breaks.tsx";
import "./facts.css";

export type Fact = [name: string, value: ReactNode];

/** Omits values that are null, undefined or false. */
export function Facts({ facts, card }: { facts: Fact[]; card?: true }) {
  return (
    <dl className={card ? "card facts" : "facts"}>
      {facts.map(([name, value], index) => {
        if (value === null || value === undefined || value === false) return null;
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: two facts of an agent can have the same name
          <div key={index}>
            <dt>{softBreaks(name)}</dt>
            <dd>{softBreaks(value)}</dd>
          </div>
        );
      })}
    </dl>
  );
}

interface WithRailProps {
  /** Names the subject of the facts. */
  label: string;
  facts: Fact[];
  children: ReactNode;
}

/** The page of an object, with its properties on the right if there is room, otherwise below. */
export function WithRail({ label, facts, children }: WithRailProps) {
  return (
    <div className="with-rail">
      <div>{children}</div>
      <section className="card" aria-label={label}>
        <h2>{label}</h2>
        <Facts facts={facts} />
      </section>
    </div>
  );
}

/** Pairs the text of each value with the name that has the same key. */
export function factsOf<K extends string, V>(
  names: Readonly<Record<K, string>>,
  values: Readonly<Record<NoInfer<K>, V>>,
  text: (value: V) => string,
): [name: string, value: string][] {
  return (Object.keys(names) as K[]).map((key) => [names[key], text(values[key])]);
}
