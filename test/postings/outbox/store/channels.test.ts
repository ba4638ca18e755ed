import { addSeconds } from 'date-fns/addSeconds';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OpenDatabase } from '../../../../src/database/open-database.ts';
import { serveAll } from '../../../../src/database/served-teams.ts';
import { enqueueMessages } from '../../../../src/postings/outbox/enqueue.ts';
import type { LeasedChannel } from '../../../../src/postings/outbox/store/channels.ts';
import { createOutboxStore } from '../../../../src/postings/outbox/store/outbox-store.ts';
import { notice } from '../../../../src/slack/ui/blocks.ts';
import { newTeamId, noon } from '../../../requests/store/rows.ts';
import { databases } from '../../../support/databases.ts';

describe.each(databases())('a pause of edits on $name', ({ open }) => {
  let database: OpenDatabase;
  beforeAll(async () => {
    database = await open();
  });
  afterAll(() => database.close());

  /** Two messages wait; the channel is leased, and then edits are paused for a minute. */
  async function pauseWhileClaimed() {
    const store = createOutboxStore(database.db, [], serveAll);
    const to = { teamId: newTeamId(), channelId: 'C1', ownerSlackUserId: 'U_ANA' };
    const outgoing = ['a', 'b'].map((subject) => ({ subject, message: notice(subject) }));
    await database.db.transaction().execute((trx) => enqueueMessages(trx, to, outgoing, noon));
    const claimAt = async (at: Date): Promise<LeasedChannel | undefined> => {
      const claim = { holder: `h-${to.teamId}`, at, until: addSeconds(at, 30) };
      const claimed = await store.leaseChannels(claim, 1000);
      return claimed.find(({ teamId }) => teamId === to.teamId);
    };
    const channel = await claimAt(noon);
    if (!channel) throw new Error('nothing was due');
    await store.pauseEdits(to.teamId, addSeconds(noon, 60));
    return { store, channel, claimAt };
  }

  it('does not delay a postponed channel', async () => {
    const { store, channel, claimAt } = await pauseWhileClaimed();
    await store.postpone(channel, { attempts: 1, readyAt: addSeconds(noon, 1) });
    expect(await claimAt(addSeconds(noon, 0.9))).toBeUndefined();
    expect(await claimAt(addSeconds(noon, 1))).toMatchObject({ attempts: 1 });
    expect(await store.readQueue(channel)).toMatchObject({ editsReadyAt: addSeconds(noon, 60) });
  });

  it('does not end with a message that was being sent', async () => {
    const { store, channel, claimAt } = await pauseWhileClaimed();
    const { post } = await store.readQueue(channel);
    if (!post) throw new Error('nothing waits');
    const posted = { channelId: 'C1', messageTs: '1.2' };
    const readyAt = addSeconds(noon, 1);
    await store.recordMessage(channel, { message: post, posted, at: noon, readyAt });
    expect(await claimAt(readyAt)).toBeDefined();
    expect(await store.readQueue(channel)).toMatchObject({ editsReadyAt: addSeconds(noon, 60) });
  });

  it('is not shortened by another one', async () => {
    const { store, channel } = await pauseWhileClaimed();
    await store.pauseEdits(channel.teamId, addSeconds(noon, 30));
    expect(await store.readQueue(channel)).toMatchObject({ editsReadyAt: addSeconds(noon, 60) });
  });
});

describe.each(databases())('busy channels on $name', ({ open }) => {
  let database: OpenDatabase;
  beforeAll(async () => {
    database = await open();
  });
  afterAll(() => database.close());

  it('are served in turn, even if Slack is slow and a process serves 20 at a time', async () => {
    const store = createOutboxStore(database.db, [], serveAll);
    const teamId = newTeamId();
    const names = Array.from({ length: 60 }, (_, index) => `C${index}`);
    for (const [index, channelId] of names.entries()) {
      const to = { teamId, channelId, ownerSlackUserId: 'U_ANA' };
      const outgoing = [{ subject: 'a', message: notice('one') }];
      const at = addSeconds(noon, index);
      await database.db.transaction().execute((trx) => enqueueMessages(trx, to, outgoing, at));
    }
    const turns: string[] = [];
    for (let round = 0; round < 6; round += 1) {
      const at = addSeconds(noon, 60 + round * 3);
      const claim = { holder: `r${round}`, at, until: addSeconds(at, 30) };
      const claimed = await store.leaseChannels(claim, 20);
      turns.push(...claimed.map(({ channelId }) => channelId));
      // Slack's answer takes two seconds, and the gap between messages is one.
      const readyAt = addSeconds(at, 3);
      for (const channel of claimed) await store.postpone(channel, { attempts: 0, readyAt });
    }
    const counts = names.map((name) => turns.filter((turn) => turn === name).length);
    expect(counts).toEqual(names.map(() => 2));
  });
});
