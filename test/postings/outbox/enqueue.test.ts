import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OpenDatabase } from '../../../src/database/open-database.ts';
import { enqueueMessages } from '../../../src/postings/outbox/enqueue.ts';
import type { Destination, Outgoing } from '../../../src/postings/outbox/message.ts';
import { notice } from '../../../src/slack/ui/blocks.ts';
import { newTeamId, noon } from '../../requests/store/rows.ts';
import { databases } from '../../support/databases.ts';

describe.each(databases())('the outbox on $name', ({ open }) => {
  let database: OpenDatabase;
  beforeAll(async () => {
    database = await open();
  });
  afterAll(() => database.close());

  const newPlace = (): Destination => ({
    teamId: newTeamId(),
    channelId: 'C1',
    ownerSlackUserId: 'U_ANA',
  });
  const queue = (to: Destination, outgoing: Outgoing[]) =>
    database.db.transaction().execute((trx) => enqueueMessages(trx, to, outgoing, noon));
  const rowsOf = ({ teamId }: Destination) =>
    database.db
      .selectFrom('delivery_message')
      .selectAll()
      .where('team_id', '=', teamId)
      .orderBy('position')
      .execute();
  const summariesOf = ({ teamId }: Destination) =>
    database.db
      .selectFrom('delivery_summary')
      .selectAll()
      .where('team_id', '=', teamId)
      .orderBy('position')
      .execute();
  const alert = (subject: string, facet = 'error'): Outgoing => ({
    subject,
    message: notice(subject),
    group: { key: 'w', title: 'all', facet },
  });

  it('does nothing for an empty list', async () => {
    const to = newPlace();
    expect(await queue(to, [])).toEqual([]);
    expect(await rowsOf(to)).toEqual([]);
  });

  it('is rolled back with its transaction', async () => {
    const to = newPlace();
    const failing = database.db.transaction().execute(async (trx) => {
      await enqueueMessages(trx, to, [alert('a')], noon);
      throw new Error('no after all');
    });
    await expect(failing).rejects.toThrow('no after all');
    expect(await rowsOf(to)).toEqual([]);
  });

  it('enqueues 2,500 messages of a storm in few statements', async () => {
    const to = newPlace();
    const storm = Array.from({ length: 2500 }, (_, index) => alert(`a${index}`));
    await queue(to, storm);
    const queued = await queue(to, storm);
    expect(queued.filter(({ as }) => as === 'message')).toHaveLength(10);
    expect(await rowsOf(to)).toHaveLength(10);
    expect(await summariesOf(to)).toMatchObject([{ counts: { error: 4980 }, version: 2 }]);
  });

  it('enqueues 2,500 messages without a group in order', async () => {
    const to = newPlace();
    const many = Array.from({ length: 2500 }, (_, index) => ({
      subject: `s${index}`,
      message: notice(`${index}`),
    }));
    await queue(to, many);
    const rows = await rowsOf(to);
    expect(rows.map(({ subject }) => subject)).toEqual(many.map(({ subject }) => subject));
  });

  it('distinguishes subjects that are too long for an index or not valid as text', async () => {
    const to = newPlace();
    const subjects = [
      'x'.repeat(5000),
      `${'x'.repeat(5000)}y`,
      'nul \0',
      'nul \uFFFD',
      'half \uD800',
      '__proto__',
    ];
    const message = { text: 'nul \0 and half \uD800' };
    const outgoing = subjects.map((subject) => ({ subject, message }));
    const queued = await queue(to, outgoing);
    expect(queued).toEqual(subjects.map((subject) => ({ subject, as: 'message' })));
    await queue(to, outgoing);
    const rows = await rowsOf(to);
    expect(rows).toHaveLength(6);
    expect(rows.map(({ version }) => version)).toEqual([2, 2, 2, 2, 2, 2]);
    expect(rows[0]?.message?.text).toBe('nul \uFFFD and half \uFFFD');
  });

  it('counts any severity name', async () => {
    const to = newPlace();
    const facets = ['__proto__', 'constructor', '', 'nul \0'];
    await queue(to, [
      ...Array.from({ length: 10 }, (_, index) => alert(`a${index}`)),
      ...facets.map((facet) => alert(`facet ${facet}`, facet)),
    ]);
    await queue(to, [alert('again', 'constructor')]);
    const [summary] = await summariesOf(to);
    expect(Object.entries(summary?.counts ?? {}).sort()).toEqual([
      ['', 1],
      ['__proto__', 1],
      ['constructor', 2],
      ['nul \uFFFD', 1],
    ]);
  });

  it('counts facets above the maximum as other', async () => {
    const to = newPlace();
    await queue(
      to,
      Array.from({ length: 110 }, (_, index) => alert(`a${index}`, `facet-${index}`)),
    );
    await queue(to, [alert('again', 'facet-10'), alert('more', 'facet-200')]);
    const [summary] = await summariesOf(to);
    expect(Object.keys(summary?.counts ?? {})).toHaveLength(51);
    expect(summary?.counts).toMatchObject({ 'facet-10': 2, 'facet-59': 1, other: 51 });
  });

  it('counts causes above the maximum by their severity', async () => {
    const to = newPlace();
    const causes = Array.from({ length: 80 }, (_, index) => `error\ncause ${index}`);
    await queue(
      to,
      causes.map((facet, index) => alert(`a${index}`, facet)),
    );
    await queue(to, [alert('again', 'error\ncause 10'), alert('more', 'warning\nanother')]);
    const [summary] = await summariesOf(to);
    expect(summary?.counts).toMatchObject({ 'error\ncause 10': 2, error: 20, warning: 1 });
  });

  it('serializes concurrent callers for a channel', async () => {
    const to = newPlace();
    const callers = Array.from({ length: 8 }, (_, caller) =>
      queue(
        to,
        Array.from({ length: 5 }, (_, index) => alert(`${caller}.${index}`)),
      ),
    );
    const queued = (await Promise.all(callers)).flat();
    expect(queued.filter(({ as }) => as === 'message')).toHaveLength(10);
    const [summary, ...more] = await summariesOf(to);
    expect([summary?.counts, more]).toEqual([{ error: 30 }, []]);
    const places = (await rowsOf(to)).map(({ position }) => position);
    expect(new Set(places).size).toBe(10);
  });
});
