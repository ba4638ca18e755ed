import { openDatabase } from '../../../src/database/open-database.ts';
import { applyApproved, contextOn } from './apply.ts';

/** Applies a file to a database, and is killed when all of it is written and nothing is committed. */
const [url = '', text = ''] = process.argv.slice(2);
const { db } = await openDatabase(url);
await applyApproved(text, contextOn(db), async () => {
  process.kill(process.pid, 'SIGKILL');
  // The signal may take a moment.
  await new Promise(() => undefined);
});
