declare module "pgpass" {
  export interface Connection {
    host: string;
    port: number;
    database: string;
    user: string;
  }

  /** Prints a warning if others can read the file. Never throws. */
  export default function pgpass(
    connection: Connection,
    callback: (password: string | undefined) => void,
  ): void;
}
