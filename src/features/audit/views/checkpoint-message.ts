import { context, type Message, message } from '../../../slack/ui/blocks.ts';
import { code } from '../../../slack/ui/mrkdwn.ts';
import { plural } from '../../../slack/ui/words.ts';
import type { LogEnd } from '../store/audit-store.ts';

/** Enough of the hash that no other log can be made with the same beginning. */
const shownDigits = 16;

/** Where the log ends, kept where nobody with access to the database alone can rewrite it. */
export function checkpointMessage({ seq, hash }: Omit<LogEnd, 'teamId'>): Message {
  const checkpoint = code(`${seq}:${hash.slice(0, shownDigits)}`);
  const text = `Audit log checkpoint: ${checkpoint} · ${plural(seq, 'entry', 'entries')}\nIf entries are removed later, the audit log will no longer match this checkpoint.`;
  return message(text, [context(text)]);
}
