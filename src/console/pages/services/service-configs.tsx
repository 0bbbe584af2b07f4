// A service's configuration as its agent reports it. The server does not store sensitive values.

import type { Reply } from "../../client/call.ts";
import { type Column, column, Table } from "../../lists/table.tsx";
import { texts } from "../../texts/index.ts";
import { Badge } from "../../values/status-badge.tsx";

type Config = Reply<"services.get">["configs"][number];

const words = texts.services.configs;

const columns: Column<Config>[] = [
  column(
    "key",
    words.key,
    ({ key, label }) => (
      <>
        <code>{key}</code>
        {label && <span className="config-label muted small"> {label}</span>}
      </>
    ),
    { card: "title" },
  ),
  column(
    "value",
    words.value,
    ({ sensitive, valuePreview }) =>
      sensitive ? (
        <span className="muted" title={words.hiddenWhy}>
          {words.hidden}
        </span>
      ) : (
        valueCell(valuePreview)
      ),
    { card: "fact" },
  ),
  column("default", words.byDefault, (row) => !row.sensitive && valueCell(row.defaultValue)),
  column("type", texts.words.type, ({ type }) => type, { card: "fact" }),
  column(
    "marks",
    words.marks,
    ({ sensitive, editable }) => (
      <span className="row">
        {sensitive && <Badge tone="warn">{words.sensitive}</Badge>}
        {editable && <Badge tone="idle">{words.editable}</Badge>}
      </span>
    ),
    { card: "state" },
  ),
  column("source", words.source, ({ source }) => source),
  column("secretRef", words.secretRef, ({ secretRef }) => secretRef && <code>{secretRef}</code>),
];

export function ServiceConfigs({ configs }: { configs: Config[] }) {
  return (
    <Table
      name="service-configs"
      label={words.title}
      columns={columns}
      rows={configs}
      rowKey={({ key }) => key}
    />
  );
}

function valueCell(value: Config["valuePreview"]) {
  if (value === undefined) return null;
  return <code>{typeof value === "string" ? value : JSON.stringify(value)}</code>;
}
