// The time at which every test's clock starts.

export const startOfTime = Date.parse("2026-01-02T03:04:05.678Z");
