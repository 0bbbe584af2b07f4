declare module "pgpass" {
  /** Prints a warning if others can read the file. Never throws. */
  function pgpass(
    connection: { host: string; port: number; database: string; user: string },
    callback: (password: string | undefined) => void,
  ): void;

  export = pgpass;
}
