// The page of a new schedule. The URL can name a service and its action.

import { ScheduleEditor } from "./schedule-editor.tsx";

export function Component() {
  return <ScheduleEditor stored={null} onReload={() => undefined} />;
}
