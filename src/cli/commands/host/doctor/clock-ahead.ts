/** How far another clock is ahead, which was read at some time from `sentAt` to `receivedAt`. */
export function clockAhead(reading: number, sentAt: number, receivedAt: number): number {
  return reading - Math.min(Math.max(reading, sentAt), receivedAt);
}
