// Binds the routes of api/settings.ts to their use cases.

import type { settings } from "../../api/settings.ts";
import { getSettings, updateSettings } from "../../core/system/settings.ts";
import type { HandlersOf } from "../dispatch.ts";

export const settingsHandlers: HandlersOf<typeof settings> = {
  "settings.get": (ctx) => getSettings(ctx),
  "settings.update": (ctx, { body }) => updateSettings(ctx, body),
};
