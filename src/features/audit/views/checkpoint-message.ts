import { context, type Message, message } from '../../../slack/ui/blocks.ts';
import { code } from '../../../slack/ui/mrkdwn.ts';
import type { LogEnd } from '../audit-store.ts';

/** Enough of a hash that nobody makes another log with the same beginning. */
const shownDigits = 16;

/** Where the log ends, in a place that the database's owner cannot rewrite. */
export function checkpointMessage({ seq, hash }: Omit<LogEnd, 'teamId'>): Message {
  const entries = seq === 1 ? '1 entry' : `${seq} entries`;
  const text = `Decision log: ${entries} so far. Checkpoint ${code(`${seq}:${hash.slice(0, shownDigits)}`)}, kept here so that nobody can quietly shorten the log.`;
  return message(text, [context(text)]);
}
