import { addMinutes } from 'date-fns/addMinutes';
import { expect, it, onTestFinished } from 'vitest';
import { whileTeamLeased } from '../../src/replicas/team-lease.ts';
import { noon } from '../requests/store/rows.ts';
import { databases } from '../support/databases.ts';

const work = 'setup.announce';

it.each(databases())(
  'work for a workspace is done by one process at a time, on $name',
  async ({ open }) => {
    const { db, close } = await open();
    onTestFinished(close);
    const done: string[] = [];
    const attempt = (
      holder: string,
      { teamId = 'T1', at = noon, run = async () => {} }: Partial<Attempt> = {},
    ) =>
      whileTeamLeased(db, { teamId, work }, { holder, at, until: addMinutes(at, 2) }, async () => {
        done.push(holder);
        await run();
      });

    await attempt('first', {
      async run() {
        await attempt('second');
        await attempt('other workspace', { teamId: 'T2' });
      },
    });
    await attempt('third');
    expect(done).toEqual(['first', 'other workspace', 'third']);

    const failing = attempt('failing', { run: () => Promise.reject(new Error('it is down')) });
    await expect(failing).rejects.toThrow('it is down');
    await attempt('after it');
    await attempt('frozen', {
      async run() {
        await attempt('too early', { at: addMinutes(noon, 1) });
        await attempt('successor', {
          at: addMinutes(noon, 2),
          run: () => attempt('behind it', { at: addMinutes(noon, 3) }),
        });
      },
    });
    expect(done.slice(3)).toEqual(['failing', 'after it', 'frozen', 'successor']);
    expect(await db.selectFrom('team_lease').selectAll().execute()).toEqual([]);
  },
);

type Attempt = { teamId: string; at: Date; run: () => Promise<void> };
