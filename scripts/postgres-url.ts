const { DATABASE_URL, TEST_DATABASE_URL } = process.env;

/** The PostgreSQL that the programs under bench/ are to use, if the environment names one. */
export const postgresUrl = [DATABASE_URL, TEST_DATABASE_URL].find((url) =>
  url?.startsWith('postgres'),
);
