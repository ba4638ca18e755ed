const { DATABASE_URL, TEST_DATABASE_URL } = process.env;

/** The PostgreSQL URL for the programs in bench/, if the environment has one. */
export const postgresUrl = [DATABASE_URL, TEST_DATABASE_URL].find((url) =>
  url?.startsWith('postgres'),
);
