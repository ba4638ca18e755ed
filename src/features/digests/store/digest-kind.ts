import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { z } from 'zod';
import { purgeTables } from '../../../database/team-purge.ts';
import { nextRun } from '../../../jobs/next-run.ts';
import type { OutboxHandlers } from '../../../postings/outbox/handlers.ts';
import { isDirectChannel } from '../../../slack/api/channel.ts';
import { createOutboxHandlers, type Family } from '../../../subscriptions/channels.ts';
import { defineSubscription } from '../../../subscriptions/define-subscription.ts';
import { sharedFields } from '../../../subscriptions/subscription.ts';
import { alertSearchSchema } from '../../alerts/index.ts';
import { type Digest, type DigestPart, type DigestSettings, digestParts } from '../digest.ts';
import {
  digestChangedMessage,
  digestEndedMessage,
  digestSetUpMessage,
} from '../views/digest-notice-message.ts';

const weekdaysColumn = z.array(z.int().min(1).max(7));

/** A part that only another version knows is left out: the others are still worth reporting. */
const partsColumn = z.array(z.string()).transform((parts) => parts.filter(isDigestPart));

function isDigestPart(part: string): part is DigestPart {
  return digestParts.some((known) => known === part);
}

export function settingsColumns(settings: DigestSettings) {
  return {
    time: settings.time,
    weekdays: JSON.stringify(settings.weekdays),
    time_zone: settings.timeZone,
    parts: JSON.stringify(settings.parts),
    when_empty: settings.whenEmpty,
    search: JSON.stringify(settings.search),
  };
}

export const digests = defineSubscription<'digest', Digest>({
  table: 'digest',
  isLeased: true,
  dueColumn: 'next_run_at',
  read: (row) => ({
    ...sharedFields(row),
    originId: row.connection_origin_id ?? undefined,
    settings: {
      time: row.time,
      weekdays: weekdaysColumn.parse(row.weekdays),
      timeZone: row.time_zone,
      parts: partsColumn.parse(row.parts),
      whenEmpty: row.when_empty,
      search: alertSearchSchema.parse(row.search),
    },
    changedBy: row.changed_by ?? undefined,
    version: row.version,
    nextRunAt: row.next_run_at,
    dueAt: row.postponed_from ?? row.next_run_at,
    coveredUntil: row.covered_until,
  }),
  notice({ id, channelId, settings, pausedReason }, change, { by, before }) {
    // In direct messages the only reader made the change and has the answer already.
    if (isDirectChannel(channelId)) return undefined;
    if (change === 'added') {
      return { subject: `digest:${id}:set-up`, message: digestSetUpMessage(settings, by) };
    }
    if (change === 'changed') {
      const changed = { before: before?.settings ?? settings, after: settings };
      // Each change gets its own message, so it never edits an earlier one.
      const subject = `digest:${id}:change:${randomUUID()}`;
      return { subject, message: digestChangedMessage(changed, by) };
    }
    // A paused digest's channel can't be reached.
    if (pausedReason) return undefined;
    return { subject: `digest:${id}:end`, message: digestEndedMessage(settings, by) };
  },
  /** Its next run covers everything since the last digest that was posted. */
  resumed: ({ settings }, at) => ({
    next_run_at: nextRun(settings, at),
    postponed_from: null,
    attempts: 0,
  }),
});

export const digestFamily: Family = {
  noun: 'digest',
  plural: 'digests',
  command: '/belay digest',
  kinds: [digests],
};

export const digestOutboxHandlers = {
  ...createOutboxHandlers(digestFamily),
  /** Lets the next digests cover again what the dropped messages with these subjects reported. */
  async onMessagesDropped(trx, { teamId, channelId }, subjects) {
    await sql`
      update digest d set covered_until = least(d.covered_until, dropped.since)
      from (
        select r.digest_id, min(r.since) as since
        from digest_run r join digest own on own.id = r.digest_id
        where own.team_id = ${teamId} and own.channel_id = ${channelId}
          and r.subject in (select jsonb_array_elements_text(${JSON.stringify(subjects)}::jsonb))
        group by r.digest_id
      ) dropped
      where d.id = dropped.digest_id
    `.execute(trx);
  },
} satisfies OutboxHandlers;

export const purgeDigests = purgeTables('digest_run', 'digest');
