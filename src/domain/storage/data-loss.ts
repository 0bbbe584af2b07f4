/** The loss of audit rows that the service had confirmed, and of the changes that they describe. */
export type DataLoss = {
  /** When the loss was noticed, in Unix milliseconds. */
  since: number;
  /** The newest audit row that is known to be gone. */
  seq: number;
  /** The machine of the server that noticed it. */
  host: string;
  /**
   * When an owner accepted the loss, in Unix milliseconds, and who accepted it; null until then.
   */
  acceptedAt: number | null;
  acceptedBy: string | null;
};
