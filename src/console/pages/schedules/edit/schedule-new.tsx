// The page of a new schedule. A service and its action can be in the URL.

import { ScheduleEditor } from "./schedule-editor.tsx";

export function Component() {
  return <ScheduleEditor stored={null} onReload={() => undefined} />;
}
