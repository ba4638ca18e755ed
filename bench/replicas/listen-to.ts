import pg from 'pg';

/** Keeps the payload of the newest notification on a PostgreSQL channel since `clear`. */
export async function listenTo(url: string, channel: string) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  let newest: string | undefined;
  client.on('notification', ({ payload }) => {
    newest = payload;
  });
  await client.query(`listen ${channel}`);
  return {
    newest: () => newest,
    clear() {
      newest = undefined;
    },
    close: () => client.end(),
  };
}
