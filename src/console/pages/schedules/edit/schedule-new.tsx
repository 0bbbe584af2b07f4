// The page of a new schedule. The URL can name a service and its action.

import { useNavigate } from "react-router";
import { Page } from "../../../components/page.tsx";
import { addressOf, listAddress } from "../../../nouns/addresses.ts";
import { nouns } from "../../../nouns/nouns.ts";
import { texts } from "../../../texts/index.ts";
import { ScheduleEditor } from "./schedule-editor.tsx";

export function Component() {
  const navigate = useNavigate();
  const options = { replace: true, state: { mayLeave: true } };
  const reload = (id: string) => void navigate(`${addressOf("schedules", id)}/edit`, options);
  return (
    <Page
      title={texts.schedules.form.newTitle}
      parent={{ to: listAddress("schedules"), text: nouns.schedules.title }}
    >
      <ScheduleEditor stored={null} onReload={reload} />
    </Page>
  );
}
