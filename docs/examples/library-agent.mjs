// A service that manages itself: notes in a folder, with an agent in the same program.
//
//   PLATFORM_URL=http://127.0.0.1:8080 PLATFORM_REGISTRATION_TOKEN=… node library-agent.mjs
//
// Create the token with `platformctl tokens create`. Only the first start needs it.

import { mkdir, readdir, statfs, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ActionError, createAgent } from "platform/agent";

const { PLATFORM_URL = "http://127.0.0.1:8080", NOTES_DIR = "notes" } = process.env;
await mkdir(NOTES_DIR, { recursive: true });

const agent = createAgent({
  server: PLATFORM_URL,
  agent: { code: "notes-host", mode: "embedded" },
  registrationToken: process.env.PLATFORM_REGISTRATION_TOKEN,
  stateDir: "agent-state",
  onEvent: ({ at, level, message }) => console.error(`${at} ${level}: ${message}`),
});

agent
  .service({
    code: "notes",
    name: "Notes",
    version: "1.0.0",
    health: async () => {
      const { bavail, bsize } = await statfs(NOTES_DIR);
      const freeMiB = Math.round((bavail * bsize) / 1024 ** 2);
      return { status: freeMiB > 10 ? "UP" : "DEGRADED", message: `${freeMiB} MiB are free` };
    },
    configs: [{ key: "folder", type: "string", valuePreview: NOTES_DIR }],
  })
  .action({
    name: "add-note",
    label: "Add a note",
    inputSchema: {
      type: "object",
      required: ["title", "text"],
      additionalProperties: false,
      properties: {
        title: { type: "string", pattern: "^[a-z0-9-]+$", maxLength: 50 },
        text: { type: "string", minLength: 1 },
      },
    },
    prepare: async () => ({ currentState: { notes: (await readdir(NOTES_DIR)).sort() } }),
    execute: async ({ title, text }, { log }) => {
      const file = `${title}.txt`;
      if ((await readdir(NOTES_DIR)).includes(file)) {
        throw new ActionError("NOTE_EXISTS", `The note ${title} already exists.`);
      }
      await writeFile(join(NOTES_DIR, file), `${text}\n`);
      log("a note was added", { file });
      return { file };
    },
  });

for (const signal of ["SIGTERM", "SIGINT"]) process.once(signal, () => agent.stop());
await agent.start();
