// The trail as another process sees it, which has no memory of it.

import { onTestFinished } from "vitest";
import { createApp } from "../../../src/app.ts";
import type { Core } from "../../../src/core/context.ts";
import { openDatabase } from "../../../src/store/engine/open.ts";
import { type TestApp, testWorld } from "../../helpers/app.ts";

export function restarted({ file, config, clock }: TestApp): Core {
  const { now } = clock;
  const opened = openDatabase({ file, busyTimeoutMs: 5000, schema: "require", now });
  onTestFinished(() => opened.database.close());
  return createApp(config, opened, testWorld).core;
}

export function asAnother(app: TestApp): TestApp {
  return { ...app, app: { ...app.app, core: restarted(app) } };
}
