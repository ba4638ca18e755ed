const { DATABASE_URL, TEST_DATABASE_URL, TEST_DATABASE_RESTART, TEST_DATABASE_DIRECT_URL } =
  process.env;

/** The PostgreSQL URL for the programs in bench/, if the environment has one. */
export const postgresUrl = [DATABASE_URL, TEST_DATABASE_URL].find((url) =>
  url?.startsWith('postgres'),
);

/** Restarts the server of scripts/with-postgres.sh: a command for sh. */
export const restartCommand = TEST_DATABASE_RESTART;

/** A database without the pooler of scripts/with-pgbouncer.sh; undefined if there is no pooler. */
export function directUrlOf(url: string): string | undefined {
  if (!TEST_DATABASE_DIRECT_URL) return undefined;
  return Object.assign(new URL(TEST_DATABASE_DIRECT_URL), { pathname: new URL(url).pathname }).href;
}
