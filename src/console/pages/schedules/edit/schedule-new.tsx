// The page of a new schedule. A service, an action or the filters of a list can be in the URL.

import { ScheduleEditor } from "./schedule-editor.tsx";

export function Component() {
  return <ScheduleEditor stored={null} onReload={() => undefined} />;
}
