import { addSeconds } from 'date-fns/addSeconds';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OpenDatabase } from '../../../../src/database/open-database.ts';
import { serveAll } from '../../../../src/database/served-teams.ts';
import { enqueueMessages } from '../../../../src/postings/outbox/enqueue.ts';
import { createOutboxStore } from '../../../../src/postings/outbox/store/outbox-store.ts';
import { notice } from '../../../../src/slack/ui/blocks.ts';
import { newTeamId, noon } from '../../../requests/store/rows.ts';
import { databases } from '../../../support/databases.ts';

describe.each(databases())('the last update of a summary on $name', ({ open }) => {
  let database: OpenDatabase;
  beforeAll(async () => {
    database = await open();
  });
  afterAll(() => database.close());

  const posted = { channelId: 'C1', messageTs: '1.2' };

  /** A summary of five alerts, and a process that has read it to send the last update. */
  async function startStorm() {
    const store = createOutboxStore(database.db, [], serveAll);
    const to = { teamId: newTeamId(), channelId: 'C1', ownerSlackUserId: 'U_ANA' };
    let made = 0;
    const queue = (facets: string[], at: Date, raised: Date | 'untold' = at) => {
      const raisedAt = raised === 'untold' ? undefined : raised;
      const outgoing = facets.map((facet) => {
        const subject = `a${made++}`;
        const group = { key: 'w', title: 'all', facet, raisedAt };
        return { subject, message: notice(subject), group };
      });
      return database.db.transaction().execute((trx) => enqueueMessages(trx, to, outgoing, at));
    };
    await queue(Array(15).fill('error'), noon);
    const channel = {
      teamId: to.teamId,
      channelId: 'C1',
      holder: 'h',
      leasedUntil: noon,
      attempts: 0,
      unanswered: 0,
    };
    const { summaries } = await store.readQueue(channel);
    const [summary] = summaries;
    if (!summary) throw new Error('nothing was counted');
    const close = () => {
      const at = addSeconds(noon, 601);
      return store.recordSummary(channel, { summary, posted, isLast: true, at, readyAt: at });
    };
    const rows = () =>
      database.db
        .selectFrom('delivery_summary')
        .selectAll()
        .where('team_id', '=', to.teamId)
        .orderBy('id')
        .execute();
    return { queue, close, rows };
  }

  it('closes it', async () => {
    const { close, rows } = await startStorm();
    await close();
    expect(await rows()).toMatchObject([
      { state: 'closed', counts: { error: 5 }, message_ts: '1.2', unshown_since: null },
    ]);
  });

  it('leaves alerts counted meanwhile to the next summary', async () => {
    const { queue, close, rows } = await startStorm();
    const later = addSeconds(noon, 600);
    await queue(['error', 'warning', 'warning', ...Array(10).fill('notice')], later);
    await close();
    const [closed, next, ...more] = await rows();
    expect(more).toEqual([]);
    expect(closed).toMatchObject({
      state: 'closed',
      counts: { error: 5 },
      message_ts: '1.2',
      unshown_since: null,
      last_at: noon,
    });
    expect(next).toMatchObject({
      state: 'open',
      counts: { error: 1, warning: 2, notice: 10 },
      message_ts: null,
      since: later,
      last_at: later,
      unshown_since: later,
      position: closed?.position,
    });
    await queue(Array(11).fill('error'), later);
    expect((await rows()).map(({ counts }) => counts)).toEqual([
      { error: 5 },
      { error: 12, warning: 2, notice: 10 },
    ]);
  });

  it('passes raised times to the next summary, later or earlier than those sent', async () => {
    const later = addSeconds(noon, 600);
    for (const raisedAt of [addSeconds(noon, 590), addSeconds(noon, -590)]) {
      const { queue, close, rows } = await startStorm();
      await queue(Array(11).fill('error'), later, raisedAt);
      await close();
      const [closed, next] = await rows();
      expect(closed).toMatchObject({ raised_from: noon, raised_to: noon });
      const [from, to] = [noon, raisedAt].sort((a, b) => a.getTime() - b.getTime());
      expect(next).toMatchObject({ raised_from: from, raised_to: to });
    }
  });

  it('passes no raised times to the next summary if one alert has none, and preserves those sent', async () => {
    const { queue, close, rows } = await startStorm();
    const later = addSeconds(noon, 600);
    await queue(Array(11).fill('error'), later, 'untold');
    await queue(Array(11).fill('error'), later);
    await close();
    expect(await rows()).toMatchObject([
      { state: 'closed', raised_from: noon, raised_to: noon },
      { state: 'open', raised_from: null, raised_to: null },
    ]);
  });

  it('starts no new summary if another process has already sent it', async () => {
    const { queue, close, rows } = await startStorm();
    await queue(Array(11).fill('error'), noon);
    await close();
    await close();
    expect((await rows()).map(({ state, counts }) => [state, counts])).toEqual([
      ['closed', { error: 5 }],
      ['open', { error: 11 }],
    ]);
  });
});
