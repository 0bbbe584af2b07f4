// Opens the audit trail as another process would, with nothing about it in memory.

import { createApp } from "../../../src/app.ts";
import type { Core } from "../../../src/core/context.ts";
import { openBeside, type TestApp, testWorld } from "../../helpers/app.ts";
import { atEnd } from "../../helpers/lifetime.ts";

export function restarted({ config, clock }: TestApp): Core {
  const opened = openBeside({ config, clock });
  atEnd(() => opened.database.close());
  return createApp(config, opened, testWorld).core;
}

export function asAnother(app: TestApp): TestApp {
  return { ...app, app: { ...app.app, core: restarted(app) } };
}
