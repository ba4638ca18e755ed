import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { people } from '../../playground/people.ts';
import type { Alert } from '../../playground/service/resources.ts';
import type { Message } from '../../playground/slack/protocol.ts';
import type { Database } from '../../src/database/tables.ts';
import type { Fleet } from '../chaos/fleet.ts';
import type { TestBed } from '../replicas/test-bed.ts';
import { waitFor } from '../replicas/wait-for.ts';

type Shown = { channelId: string; text: string; threadTs?: string | undefined };

export type DeskSetup = {
  testBed: TestBed;
  db: Database;
  fleet: Fleet;
  /** Messages that were in Slack, but not recorded, at a kill: they may be posted twice. */
  copies: Shown[];
};

export const patienceMs = 180_000;
/** In which a killed process may still have a post under way. */
const settleMs = 300;

const storedText = z.object({ text: z.string() });

/** Kills every replica that runs, and notes what was in Slack, but not recorded. */
export async function killAll({ testBed, db, fleet, copies }: DeskSetup): Promise<void> {
  await waitFor(() => fleet.running().length > 0, { forMs: 20_000, everyMs: 20 });
  await Promise.all(fleet.running().map(({ name }) => fleet.kill(name)));
  await wait(settleMs);
  const rows = await db
    .selectFrom('delivery_message as queued')
    .leftJoin('delivery_message as parent', 'parent.id', 'queued.reply_to')
    .select(['queued.channel_id', 'queued.message', 'parent.message_ts as thread_ts'])
    .where('queued.state', '=', 'queued')
    .where('queued.message_ts', 'is', null)
    .execute();
  const shown = new Set(readMessages(testBed).map(keyOf));
  const unrecorded = rows.map((row) => ({
    channelId: row.channel_id,
    text: storedText.parse(row.message).text,
    threadTs: row.thread_ts ?? undefined,
  }));
  copies.push(...unrecorded.filter((one) => shown.has(keyOf(one))));
}

/** Whether it was in Slack, but not recorded, at a kill. */
export function isCopy({ copies }: DeskSetup, message: Shown): boolean {
  return copies.some((one) => keyOf(one) === keyOf(message));
}

function keyOf({ channelId, text, threadTs }: Shown): string {
  return JSON.stringify([channelId, threadTs, text]);
}

/** Of all channels. */
export function readMessages({ slack }: TestBed): Message[] {
  return slack
    .snapshot(people.ana)
    .conversations.flatMap(({ messages }) => messages)
    .filter(({ isEphemeral }) => !isEphemeral);
}

/** `words`: the name of its resource. */
export function raise({ service, portal }: TestBed, id: string, words: string, notes = ''): Alert {
  const now = new Date().toISOString();
  const alert: Alert = {
    id,
    type: 'backup_failed',
    cause: 'snapshot_not_created',
    severity: 'warning',
    status: 'active',
    notes,
    raised_count: 1,
    raised_timestamp: now,
    updated_timestamp: now,
    cleared_timestamp: null,
    primary_entity: { id: `entity-${id}`, type: 'vmware_vm', value: words },
  };
  service.putAlert(portal.id, alert);
  return alert;
}
