import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { actAs } from '../../playground/act-as.ts';
import { people } from '../../playground/people.ts';
import { migrate } from '../../src/database/migrate.ts';
import type { Database } from '../../src/database/open-database.ts';
import { enqueueMessages } from '../../src/outbox/enqueue.ts';
import { notice } from '../../src/slack/ui/blocks.ts';
import { noon } from '../features/approvals/store/rows.ts';
import {
  claimAt,
  openDigestStore,
  runOf,
  sampleSettings,
} from '../features/digests/store/digest-rows.ts';
import { alerts, ana, continueDelivery, ops, random } from '../outbox/stage.ts';
import { messagesOf } from '../support/ask.ts';
import { oldDatabases } from './old-database.ts';

const teamId = 'T_OLD';
const watchId = randomUUID();

/** The rows of a version with migration 005 that was stopped while messages waited. */
async function leaveWaiting(db: Database): Promise<void> {
  const connectionId = randomUUID();
  await sql`insert into connection (id, team_id, region_id, token_sealed, saved_by, saved_at)
      values (${connectionId}, ${teamId}, 'eu', 'sealed', ${ana}, ${noon})`.execute(db);
  await sql`insert into watch (id, team_id, connection_id, channel_id, search, created_by,
        created_at, counted_count)
      values (${watchId}, ${teamId}, ${connectionId}, ${ops}, '{"words":[]}', ${ana}, ${noon}, 30)
    `.execute(db);
  await sql`insert into watched_alert (watch_id, alert_key, is_cleared, told, seen_at)
      values (${watchId}, 'a1', false, 'counted', ${noon})`.execute(db);
  await sql`insert into digest (id, team_id, channel_id, time, weekdays, time_zone, parts,
        when_empty, created_by, created_at, source_view_id, next_run_at)
      values (${randomUUID()}, ${teamId}, ${ops}, '13:00', ${JSON.stringify(sampleSettings.weekdays)},
        'Europe/Berlin', '["new"]', 'heartbeat', ${ana}, ${noon}, 'V1', ${noon})`.execute(db);
  for (const channelId of [ops, random]) {
    await sql`insert into delivery_channel (team_id, channel_id, last_place, due_at, ready_at)
        values (${teamId}, ${channelId}, 9, ${noon}, ${noon})`.execute(db);
    for (const place of [1, 2]) {
      await sql`insert into delivery_message (team_id, channel_id, owner_slack_user_id, subject,
            message, place, queued_at)
          values (${teamId}, ${channelId}, ${ana}, ${`s${place}`},
            ${JSON.stringify(notice(`old ${place}`))}, ${place}, ${noon})`.execute(db);
    }
  }
  const summary = (channelId: string, messageTs: string | null) =>
    sql`insert into delivery_summary (team_id, channel_id, owner_slack_user_id, group_key, title,
          counts, since, last_at, untold_since, place, posted_channel_id, message_ts)
        values (${teamId}, ${channelId}, ${ana}, ${watchId}, 'all', '{"error":30}', ${noon}, ${noon},
          ${messageTs ? null : noon}, 3, ${messageTs && channelId}, ${messageTs})`.execute(db);
  await summary(ops, null);
  await summary(random, '1.000001');
}

/** The schema that unreleased versions of 003 and 005 created. */
async function toUnreleasedSchema(db: Database): Promise<void> {
  await sql`alter table delivery_summary
      drop constraint delivery_summary_state_check,
      alter column state set default 'open',
      add constraint delivery_summary_state_check check (state in ('open', 'closed', 'dropped'))
    `.execute(db);
  await sql`alter table digest add column postponed_from timestamptz`.execute(db);
  await sql`create index approval_pending on approval (team_id)
      where state = 'pending'`.execute(db);
}

const left = oldDatabases('005_digests').flatMap(({ name, open }) => [
  { name, open, change: async () => undefined },
  { name: `${name}, unreleased schema`, open, change: toUnreleasedSchema },
]);

describe.each(left)('the outbox of a version before 006 on $name', ({ open, change }) => {
  let db: Database;
  let close: () => Promise<void>;
  beforeEach(async () => {
    ({ db, close } = await open());
    await change(db);
    await leaveWaiting(db);
    await migrate(db);
  });
  afterEach(() => close());

  it('is delivered after the migration', async () => {
    const stage = await continueDelivery(db);
    await stage.run(3);
    expect(stage.texts()).toEqual([
      ...['old 1', 'old 2'],
      expect.stringMatching(/^\*30 more alerts since .*12:00.*\(all\): 30 errors\./),
    ]);

    // The summary is still updated, and the digest is still delivered.
    const more = alerts(11, { key: watchId }).map((one) => ({
      ...one,
      group: one.group && { ...one.group, raisedAt: noon },
    }));
    await stage.queue(more, { teamId });
    const { store } = openDigestStore(db, enqueueMessages);
    const claim = await store.claimDue(claimAt(noon));
    if (!claim) throw new Error('the digest is not due');
    expect(await store.finish(claim, runOf(claim))).toBe(true);
    await stage.run(14);
    stage.wait(120_000);
    await stage.run(3);
    expect(stage.texts()[2]).toMatch(/^\*41 more alerts from .*12:00.* to .*12:00.*: 41 errors\./);
    expect(stage.texts()).toHaveLength(4);
  });

  it('is dropped when its channels are unreachable, counting what was not shown', async () => {
    const stage = await continueDelivery(db);
    for (let channel = 0; channel < 2; channel += 1) {
      stage.slack.failNext('chat.postMessage', 'is_archived');
    }
    await stage.run(5);
    const notices = messagesOf(actAs(stage.slack, people.ana)).map(({ text }) => text);
    expect(notices.sort()).toEqual([
      expect.stringMatching(
        /OPS.*: .*\n32 messages for this channel weren't .*\nYour watch and your digest in this channel are/,
      ),
      expect.stringMatching(/RANDOM.*: .*\n2 messages for this channel weren't delivered\.$/),
    ]);
  });
});
