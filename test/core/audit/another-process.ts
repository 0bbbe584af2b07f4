// Opens the audit trail as another process would, with nothing about it in memory.

import { createApp } from "../../../src/app.ts";
import type { Core } from "../../../src/core/context.ts";
import { openBeside, type TestApp, testWorld } from "../../helpers/app.ts";
import { atEnd } from "../../helpers/lifetime.ts";

/** The service after a restart. It uses the same connection to the database. */
export function restarted(app: TestApp): Core {
  return createApp(app.config, { ...app, hasHistory: true, isNew: false }, testWorld).core;
}

/** Another process on the database, whose changes the app must notice. */
export function asAnother(app: TestApp): TestApp {
  const opened = openBeside(app);
  atEnd(() => opened.database.close());
  const { core } = createApp(app.config, opened, testWorld);
  return { ...app, app: { ...app.app, core } };
}
