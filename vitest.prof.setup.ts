import { appendFileSync } from "node:fs";
import { afterEach, beforeEach } from "vitest";
let c0: NodeJS.CpuUsage;
beforeEach(() => { c0 = process.cpuUsage(); });
afterEach((context) => { const c = process.cpuUsage(c0); appendFileSync("/tmp/t3prof/tests.txt", `${((c.user + c.system) / 1000).toFixed(0).padStart(6)} ${context.task.file.name} ${context.task.name.slice(0,130)}\n`); });
