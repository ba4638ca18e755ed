import { addMinutes } from 'date-fns/addMinutes';
import { expect, it } from 'vitest';
import { createDigestRunner } from '../../../src/features/digests/run-due-digests.ts';
import { createLogger } from '../../../src/logger.ts';
import { fridayNine, startDigests } from './start-digests.ts';

it('digests that cannot be read keep no other from running, and are left alone for an hour', async () => {
  const stage = await startDigests();
  const add = () => stage.addDigest({ parts: ['approvals'], whenEmpty: 'heartbeat' });
  const whole = [await add(), await add()];
  // As many as a process runs at once, and due before the others.
  const broken: string[] = [];
  for (let count = 0; count < 8; count += 1) broken.push((await add()).id);
  await stage.db
    .updateTable('digest')
    .set({ weekdays: JSON.stringify(['canary']), next_run_at: addMinutes(fridayNine, -1) })
    .where('id', 'in', broken)
    .execute();
  const logged: string[] = [];
  const log = createLogger('error', { write: (line) => void logged.push(line) });
  const run = () => createDigestRunner({ ...stage.dependencies, log }).finish();

  expect(await run()).toBe(10);
  const runs = await stage.db.selectFrom('digest_run').select('digest_id').execute();
  expect(runs.map(({ digest_id }) => digest_id).toSorted()).toEqual(
    whole.map(({ id }) => id).toSorted(),
  );
  const lines = logged.map((line) => JSON.parse(line));
  expect(lines.map(({ table, id }) => `${table} ${id}`).toSorted()).toEqual(
    broken.map((id) => `digest ${id}`).toSorted(),
  );
  expect(logged.join()).not.toContain('canary');

  stage.at(addMinutes(fridayNine, 59));
  expect(await run()).toBe(0);
  stage.at(addMinutes(fridayNine, 60));
  expect(await run()).toBe(8);
});
