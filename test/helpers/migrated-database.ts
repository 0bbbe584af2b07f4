/** The database on the server of the run that has this program's schema, and that nobody uses. */
export const migratedDatabase = "migrated";
