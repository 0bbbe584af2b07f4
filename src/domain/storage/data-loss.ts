/** Audit rows that the service had confirmed are gone, and with them the changes that they were about. */
export type DataLoss = {
  /** When that was noticed, in Unix milliseconds. */
  since: number;
  /** The newest audit row that is known to be gone. */
  seq: number;
  /** The machine of the server that noticed it. */
  host: string;
  /** When an owner accepted the loss, in Unix milliseconds, and who; null before. */
  acceptedAt: number | null;
  acceptedBy: string | null;
};
