// The page of a new schedule. The URL can name a service and its action.

import { Page } from "../../../components/page.tsx";
import { listAddress } from "../../../nouns/addresses.ts";
import { nouns } from "../../../nouns/nouns.ts";
import { texts } from "../../../texts/index.ts";
import { ScheduleEditor } from "./schedule-editor.tsx";

export function Component() {
  return (
    <Page
      title={texts.schedules.form.newTitle}
      parent={{ to: listAddress("schedules"), text: nouns.schedules.title }}
    >
      <ScheduleEditor stored={null} onReload={() => undefined} />
    </Page>
  );
}
