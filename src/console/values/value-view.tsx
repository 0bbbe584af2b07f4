// Shows a value from an agent as a table, a list or text, or as JSON.

import { type ReactNode, useState } from "react";
import { isScalar, type Json, type JsonObject } from "../../domain/payload/json.ts";
import { Section } from "../components/page.tsx";
import { Segments } from "../components/segments.tsx";
import { softBreaks } from "../components/text/soft-breaks.tsx";
import { isStatus } from "../format/status.ts";
import { texts } from "../texts/index.ts";
import { Facts } from "./facts.tsx";
import { JsonView } from "./json-view.tsx";
import { StatusBadge } from "./status-badge.tsx";
import { type Scalar, type Shape, shapeOf } from "./value-shape.ts";
import "./value-view.css";

const words = texts.values;

/** Further rows are only in the JSON. */
const maxRows = 200;

/** Shows the value under a heading, or nothing if there is no value. */
export function ValueSection({ title, value }: { title: string; value: Json | undefined }) {
  if (shapeOf(value).kind === "nothing") return null;
  return (
    <Section title={title}>
      <ValueView value={value} label={title} />
    </Section>
  );
}

interface ValueViewProps {
  value: Json | undefined;
  label: string;
  /** Whether the value is part of another view, which can itself show the JSON. */
  isPart?: true;
}

export function ValueView({ value, label, isPart }: ValueViewProps) {
  const shape = shapeOf(value);
  const shaped = <Shaped shape={shape} label={label} />;
  if (isPart || shape.kind === "nothing" || shape.kind === "json") return shaped;
  return (
    <WithJsonChoice kind={shape.kind} value={value} label={label}>
      {shaped}
    </WithJsonChoice>
  );
}

interface WithJsonChoiceProps {
  /** What the children show. */
  kind: keyof typeof words.kinds;
  value: Json | undefined;
  label: string;
  children: ReactNode;
}

/** Lets the user choose between the children and the value as JSON. */
export function WithJsonChoice({ kind, value, label, children }: WithJsonChoiceProps) {
  const [asJson, setAsJson] = useState(false);
  return (
    <div className="stack value-view">
      <Segments
        label={words.view({ of: label })}
        choices={[
          ["shape", words.kinds[kind]],
          ["json", words.json],
        ]}
        current={asJson ? "json" : "shape"}
        onChoose={(key) => setAsJson(key === "json")}
      />
      {asJson ? <JsonView value={value} label={label} /> : children}
    </div>
  );
}

function Shaped({ shape, label }: { shape: Shape; label: string }) {
  switch (shape.kind) {
    case "nothing":
      return <p className="muted">{words.nothing}</p>;
    case "text":
      return (
        <figure className="json-view value-text" aria-label={label}>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must be able to scroll it */}
          <pre tabIndex={0}>{softBreaks(shape.text)}</pre>
        </figure>
      );
    case "scalar":
      return <p>{scalar(shape.value)}</p>;
    case "scalars":
      return (
        <ul className="value-list" aria-label={label}>
          {shape.items.map((item, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the list does not change
            <li key={index}>{scalar(item)}</li>
          ))}
        </ul>
      );
    case "table":
      return <Rows columns={shape.columns} rows={shape.rows} label={label} />;
    case "object":
      return (
        <>
          {shape.facts.length > 0 && (
            <Facts facts={shape.facts.map(([name, value]) => [name, scalar(value)])} />
          )}
          {shape.parts.map(([name, part]) => (
            <section key={name} className="value-part">
              <h3>{softBreaks(name)}</h3>
              <Shaped shape={part} label={`${label}${texts.words.colon}${name}`} />
            </section>
          ))}
        </>
      );
    case "json":
      return <JsonView value={shape.value} label={label} />;
  }
}

function Rows({ columns, rows, label }: { columns: string[]; rows: JsonObject[]; label: string }) {
  return (
    <div className="value-rows">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must be able to scroll it */}
      <section className="value-scroll panel" tabIndex={0} aria-label={label}>
        <table>
          <thead>
            <tr>
              {columns.map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, maxRows).map((row, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the table does not change
              <tr key={index}>
                {columns.map((name) => (
                  <td key={name}>{cell(Object.hasOwn(row, name) ? row[name] : undefined)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {rows.length > maxRows && (
        <p className="muted">{words.moreRows({ many: rows.length - maxRows })}</p>
      )}
    </div>
  );
}

function cell(value: Json | undefined) {
  if (value === undefined) return null;
  if (typeof value === "string" && isStatus(value)) return <StatusBadge status={value} />;
  return isScalar(value) ? scalar(value) : <code>{softBreaks(JSON.stringify(value))}</code>;
}

function scalar(value: Scalar) {
  if (value === null || value === "") return <span className="muted">{words.nothing}</span>;
  if (typeof value === "boolean") return value ? texts.words.yes : texts.words.no;
  return softBreaks(String(value));
}
