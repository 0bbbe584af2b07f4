// The page that changes a schedule.

import { useState } from "react";
import { useParams } from "react-router";
import { useCall } from "../../../client/queries.ts";
import { messageOf } from "../../../components/failure.tsx";
import { useNotice } from "../../../components/notices.tsx";
import { Page } from "../../../components/page.tsx";
import { Loaded } from "../../../lists/loaded.tsx";
import { nouns } from "../../../nouns/nouns.ts";
import { ScheduleEditor } from "./schedule-editor.tsx";

export function Component() {
  const { scheduleId = "" } = useParams();
  const query = useCall("schedules.get", { params: { scheduleId } });
  const [loads, setLoads] = useState(0);
  const notify = useNotice();
  const reload = async () => {
    const { isSuccess, error } = await query.refetch();
    if (isSuccess) setLoads(loads + 1);
    else notify(messageOf(error));
  };
  if (query.data) {
    return (
      <ScheduleEditor
        key={`${scheduleId} ${loads}`}
        stored={query.data}
        onReload={() => void reload()}
      />
    );
  }
  const { one, title } = nouns.schedules;
  return (
    <Page title={one} parent={{ to: "/schedules", text: title }}>
      <Loaded query={query}>{() => null}</Loaded>
    </Page>
  );
}
