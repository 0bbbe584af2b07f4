export const silenceLengths: Readonly<Record<string, number>> = {
  "15m": 900,
  "1h": 3600,
  "8h": 28_800,
  "24h": 86_400,
};
