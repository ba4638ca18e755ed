import { addSeconds } from 'date-fns/addSeconds';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ClaimedChannel } from '../../src/features/delivery/delivery-store.ts';
import { notice } from '../../src/slack/blocks.ts';
import type { OpenDatabase } from '../../src/storage/open-database.ts';
import { createQueueOutgoing } from '../../src/storage/outbox.ts';
import { createDeliveryStore } from '../../src/storage/outbox-store.ts';
import { databases } from '../support/databases.ts';
import { newTeamId, noon } from './rows.ts';

describe.each(databases())('a pause of a workspace on $name', ({ open }) => {
  let database: OpenDatabase;
  beforeAll(async () => {
    database = await open();
  });
  afterAll(() => database.close());

  /** Two messages wait; the channel is claimed, and then the workspace is paused for a minute. */
  async function pauseWhileClaimed() {
    const queueOutgoing = createQueueOutgoing();
    const store = createDeliveryStore(database.db, { queueOutgoing });
    const to = { teamId: newTeamId(), channelId: 'C1', ownerSlackUserId: 'U_ANA' };
    const outgoing = ['a', 'b'].map((subject) => ({ subject, message: notice(subject) }));
    await database.db.transaction().execute((trx) => queueOutgoing(trx, to, outgoing, noon));
    const claimAt = async (at: Date): Promise<ClaimedChannel | undefined> => {
      const claim = { holder: `h-${to.teamId}`, at, until: addSeconds(at, 30), limit: 1000 };
      const claimed = await store.claimChannels(claim);
      return claimed.find(({ teamId }) => teamId === to.teamId);
    };
    const channel = await claimAt(noon);
    if (!channel) throw new Error('nothing was due');
    await store.pauseWorkspace(to.teamId, addSeconds(noon, 60));
    return { store, channel, claimAt };
  }

  it('outlasts what is postponed for less', async () => {
    const { store, channel, claimAt } = await pauseWhileClaimed();
    await store.postpone(channel, { attempts: 1, readyAt: addSeconds(noon, 1) });
    expect(await claimAt(addSeconds(noon, 59))).toBeUndefined();
    expect(await claimAt(addSeconds(noon, 60))).toMatchObject({ attempts: 1 });
  });

  it('outlasts a message that was under way', async () => {
    const { store, channel, claimAt } = await pauseWhileClaimed();
    const { first } = await store.readWaiting(channel);
    if (!first) throw new Error('nothing waits');
    const posted = { channelId: 'C1', messageTs: '1.2' };
    const readyAt = addSeconds(noon, 1);
    await store.recordMessage(channel, { message: first, posted, at: noon, readyAt });
    expect(await claimAt(addSeconds(noon, 59))).toBeUndefined();
    expect(await claimAt(addSeconds(noon, 60))).toBeDefined();
  });
});
