// The page that changes a schedule.

import { useState } from "react";
import { useParams } from "react-router";
import { useCall } from "../../../client/queries.ts";
import { Page } from "../../../components/page.tsx";
import { Loaded } from "../../../lists/loaded.tsx";
import { nouns } from "../../../nouns/nouns.ts";
import { ScheduleEditor } from "./schedule-editor.tsx";

export function Component() {
  const { scheduleId = "" } = useParams();
  const query = useCall("schedules.get", { params: { scheduleId } });
  const [loads, setLoads] = useState(0);
  const reload = () => void query.refetch().then(() => setLoads(loads + 1));
  if (query.data) {
    return <ScheduleEditor key={`${scheduleId} ${loads}`} stored={query.data} onReload={reload} />;
  }
  const { one, title } = nouns.schedules;
  return (
    <Page title={one} parent={{ to: "/schedules", text: title }}>
      <Loaded query={query}>{() => null}</Loaded>
    </Page>
  );
}
