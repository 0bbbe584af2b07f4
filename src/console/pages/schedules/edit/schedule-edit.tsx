// The page that changes a schedule.

import { useState } from "react";
import { useParams } from "react-router";
import { capitalized } from "../../../../lib/capitalized.ts";
import { useCall } from "../../../client/queries.ts";
import { messageOf } from "../../../components/failure.tsx";
import { focusMain } from "../../../components/focus/focus-main.ts";
import { useNotice } from "../../../components/notices.tsx";
import { Page } from "../../../components/page.tsx";
import { Loaded } from "../../../lists/loaded.tsx";
import { addressOf, listAddress } from "../../../nouns/addresses.ts";
import { nouns } from "../../../nouns/nouns.ts";
import { texts } from "../../../texts/index.ts";
import { ScheduleEditor } from "./schedule-editor.tsx";

export function Component() {
  const { scheduleId = "" } = useParams();
  const query = useCall("schedules.get", { params: { scheduleId } });
  const [loads, setLoads] = useState(0);
  const notify = useNotice();
  const reload = async () => {
    const { isSuccess, error } = await query.refetch();
    if (!isSuccess) return notify(messageOf(error));
    setLoads(loads + 1);
    focusMain();
    scrollTo(0, 0);
  };
  const { one, title } = nouns.schedules;
  const name = query.data?.name;
  return (
    <Page
      title={name === undefined ? capitalized(one) : texts.schedules.form.editTitle({ name })}
      parent={
        name === undefined
          ? { to: listAddress("schedules"), text: title }
          : { to: addressOf("schedules", scheduleId), text: name }
      }
    >
      {query.data ? (
        <ScheduleEditor key={loads} stored={query.data} onReload={() => void reload()} />
      ) : (
        <Loaded query={query}>{() => null}</Loaded>
      )}
    </Page>
  );
}
