const { DATABASE_URL, TEST_DATABASE_URL, TEST_DATABASE_RESTART } = process.env;

/** The PostgreSQL URL for the programs in bench/, if the environment has one. */
export const postgresUrl = [DATABASE_URL, TEST_DATABASE_URL].find((url) =>
  url?.startsWith('postgres'),
);

/** Restarts the server of scripts/with-postgres.sh: a command for sh. */
export const restartCommand = TEST_DATABASE_RESTART;
