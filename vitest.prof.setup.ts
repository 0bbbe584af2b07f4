import { Session } from "node:inspector/promises";
import { writeFileSync, mkdirSync } from "node:fs";
import { afterAll, expect } from "vitest";
const s = new Session(); s.connect();
await s.post("Profiler.enable"); await s.post("Profiler.setSamplingInterval", { interval: 500 }); await s.post("Profiler.start");
const c0 = process.cpuUsage();
afterAll(async () => {
  const { profile } = await s.post("Profiler.stop"); s.disconnect();
  const c = process.cpuUsage(c0);
  mkdirSync(process.env.PROF!, { recursive: true });
  writeFileSync(process.env.PROF + "/a.cpuprofile", JSON.stringify(profile));
  writeFileSync(process.env.PROF + "/cpu.txt", `user ${c.user/1e6} sys ${c.system/1e6}`);
});
