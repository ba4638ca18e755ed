import { expect, it, onTestFinished } from 'vitest';
import { findLeft } from '../../../bench/chaos/installations/uninstall/check-left.ts';
import { openAnyDatabase } from '../../support/databases.ts';

it('finds nothing left in a database in which Belay was never installed', async () => {
  const { db, close } = await openAnyDatabase();
  onTestFinished(close);
  expect(await findLeft(db, ['Kim Lee'])).toEqual([]);
  await db.insertInto('user_group').values({ team_id: 'T0ONE', group_id: 'S1' }).execute();
  expect(await findLeft(db, ['Kim Lee'])).toEqual(['1 rows are left in user_group']);
});
