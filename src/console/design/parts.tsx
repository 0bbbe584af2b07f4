// The parts of pages, with texts of the greatest likely length.

import { Pencil, Trash2 } from "lucide-react";
import { type ReactNode, useId, useState } from "react";
import { ApiError } from "../client/api-error.ts";
import { Advanced } from "../components/advanced.tsx";
import { Button, ButtonLink, IconButton } from "../components/buttons/button.tsx";
import { CopiedCode, CopyIcon } from "../components/buttons/copy-button.tsx";
import { CellLegend } from "../components/cells/cell-legend.tsx";
import { CheckMenu } from "../components/check-menu.tsx";
import { Confirm } from "../components/dialogs/confirm.tsx";
import { DialogButton } from "../components/dialogs/dialog-button.tsx";
import { FormDialog } from "../components/dialogs/form-dialog.tsx";
import { Empty } from "../components/empty.tsx";
import { Failure } from "../components/failure.tsx";
import { Help } from "../components/help.tsx";
import { useNotice } from "../components/notices.tsx";
import { Segments } from "../components/segments.tsx";
import { Shares } from "../components/shares.tsx";
import { Tabs } from "../components/tabs.tsx";
import { Cut } from "../components/text/cut.tsx";
import { WarningList } from "../components/warning-list.tsx";
import { Loading } from "../lists/loaded.tsx";
import { Facts } from "../values/facts.tsx";
import { JsonView } from "../values/json-view.tsx";
import { StatusBadge } from "../values/status-badge.tsx";
import { Fields } from "./fields.tsx";
import { SampleTable } from "./sample-table.tsx";

const long = "a-name-of-sixty-three-characters-as-long-as-a-name-may-ever-be-x";
const kinds = ["plain", "quiet", "danger", "primary"] as const;
const states = ["HEALTHY", "UNHEALTHY", "STALE", "OFFLINE", "UNKNOWN", "RUNNING", "PENDING"];
/** An error from the server that has every possible detail. */
const refused = new ApiError(
  409,
  {
    code: "CONFLICT",
    message: "Somebody else has changed the schedule.",
    details: { issues: [{ path: "name", message: "is taken" }] },
    requestId: "req_example",
  },
  30,
);
const cells = ["FAILED", "RUNNING", "CHECKING", "NOT_RUN", "WAITING", "SUCCEEDED"] as const;
const counts = { FAILED: 2, RUNNING: 1, CHECKING: 0, NOT_RUN: 13, WAITING: 0, SUCCEEDED: 1_985 };

export function Parts({ theme }: { theme: string }) {
  return (
    <>
      <Buttons />
      <Part title="Statuses">
        <div className="row">
          {states.map((status) => (
            <StatusBadge key={status} status={status} />
          ))}
        </div>
      </Part>
      <Choices theme={theme} />
      <Part title="Fields">
        <Fields />
      </Part>
      <Floating />
      <Part title="Values">
        <Facts
          card
          facts={[
            ["Agent", "shop-stockholm"],
            ["Address", <CopiedCode key="address" text="https://platform.example/agents" />],
            ["Long", <Cut key="long">{`${long} ${long} ${long} ${long}`}</Cut>],
          ]}
        />
        <JsonView value={{ retries: 3, hosts: [long] }} label={`Input, ${theme}`} />
      </Part>
      <Part title="Table">
        <SampleTable label={`Services, ${theme}`} long={long} />
      </Part>
      <Part title="Nothing, waiting, and failures">
        <Empty>No services match.</Empty>
        <Failure error={refused} onRetry={() => undefined} />
        <WarningList warnings={["No service has the label region=eu."]} />
        <Loading />
      </Part>
    </>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <>
      <h2>{title}</h2>
      <div className="stack">{children}</div>
    </>
  );
}

function Buttons() {
  return (
    <Part title="Buttons">
      {[{}, { disabled: true }, { busy: true }].map((state) => (
        <div key={Object.keys(state).join()} className="row">
          {kinds.map((kind) => (
            <Button key={kind} kind={kind} {...state}>
              {kind}
            </Button>
          ))}
        </div>
      ))}
      <div className="row">
        <IconButton label="Edit" icon={<Pencil />} />
        <CopyIcon text={long} />
        <Button kind="danger" icon={<Trash2 />}>
          Delete
        </Button>
        <ButtonLink to="/">Open</ButtonLink>
        <Help of="waves" />
      </div>
    </Part>
  );
}

function Choices({ theme }: { theme: string }) {
  const [view, setView] = useState("table");
  const [wanted, setWanted] = useState<ReadonlySet<(typeof cells)[number]>>(new Set(["FAILED"]));
  return (
    <Part title="Choices">
      <Tabs
        label={`Tabs, ${theme}`}
        tabs={[
          { key: "output", text: "Output" },
          { key: "input", text: "Input" },
        ]}
      />
      <div>
        <Segments
          label="View"
          choices={[
            ["table", "Table"],
            ["json", "JSON"],
          ]}
          current={view}
          onChoose={setView}
        />
      </div>
      <CellLegend
        legend="Filter by state"
        states={cells}
        counts={counts}
        wanted={wanted}
        onChange={setWanted}
      />
      <Shares states={cells} counts={counts} />
      <Advanced>What few users need.</Advanced>
    </Part>
  );
}

/** The parts that float above the page. */
function Floating() {
  const menu = useId();
  const notify = useNotice();
  const [checked, setChecked] = useState("name");
  return (
    <Part title="Dialogs, menus and messages">
      <div className="row">
        <DialogButton text="Ask">
          {(close) => (
            <Confirm
              title={`Delete ${long}?`}
              verb="Delete"
              danger
              word={{ label: "Type 37 to continue", expected: "37" }}
              busy={false}
              error={null}
              onConfirm={close}
              onClose={close}
            >
              <p>Its history goes, too.</p>
            </Confirm>
          )}
        </DialogButton>
        <DialogButton text="Edit">
          {(close) => (
            <FormDialog title="Edit" verb="Save" busy={false} onSubmit={close} onClose={close}>
              <Fields />
            </FormDialog>
          )}
        </DialogButton>
        <Button popoverTarget={menu}>Columns</Button>
        <CheckMenu
          id={menu}
          legend="Columns"
          choices={[
            ["name", "Name"],
            ["status", "Status"],
          ]}
          isChecked={(key) => key === checked}
          onToggle={setChecked}
        />
        <Button
          onClick={() => notify("The rollout is paused.", { verb: "Resume", act: () => undefined })}
        >
          Notify
        </Button>
      </div>
    </Part>
  );
}
