// A table with rows of all kinds. The button changes a status, as a live change does.

import { useState } from "react";
import { Button } from "../components/buttons/button.tsx";
import { useSelection } from "../lists/selection.tsx";
import { column, Table } from "../lists/table.tsx";
import { StatusBadge } from "../values/status-badge.tsx";

interface Sample {
  code: string;
  status: string;
  message: string;
}

export function SampleTable({ label, long }: { label: string; long: string }) {
  const [isWell, setWell] = useState(false);
  const [sort, setSort] = useState<string | null>("status");
  const rows: Sample[] = [
    { code: "shop-api", status: isWell ? "HEALTHY" : "UNHEALTHY", message: "connection refused" },
    { code: "search", status: "RUNNING", message: `${long} ${long} ${long}` },
    { code: long, status: "HEALTHY", message: "" },
  ];
  const selection = useSelection(
    rows,
    ({ code }) => code,
    ({ code }) => code,
  );
  return (
    <>
      <Table
        name="design"
        label={label}
        columns={[
          {
            ...column<Sample>("code", "Code", ({ code }) => code, { card: "title" }),
            sortsBy: "code",
          },
          {
            ...column<Sample>("status", "Status", ({ status }) => <StatusBadge status={status} />, {
              card: "state",
            }),
            sortsBy: "status",
          },
          column<Sample>("message", "Message", ({ message }) => message, { card: "fact" }),
          column<Sample>("services", "Services", () => "2,001", { align: "end" }),
        ]}
        rows={rows}
        rowKey={({ code }) => code}
        selection={selection}
        sorting={{ sort: sort ?? undefined, onSort: setSort }}
      />
      <div className="row">
        <Button onClick={() => setWell(!isWell)}>Change a status</Button>
      </div>
    </>
  );
}
