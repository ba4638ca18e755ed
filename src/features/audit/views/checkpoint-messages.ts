import { context, type Message, message, notice } from '../../../slack/ui/blocks.ts';
import { code, moment } from '../../../slack/ui/mrkdwn.ts';
import { plural } from '../../../slack/ui/words.ts';
import type { LogEnd } from '../store/audit-store.ts';

/** Enough of the hash that no other log can be made with the same beginning. */
const shownDigits = 16;

/** Where the log ends, kept where nobody with access to the database alone can rewrite it. */
export function checkpointMessage({ seq, hash }: Omit<LogEnd, 'teamId'>): Message {
  const checkpoint = code(`${seq}:${hash.slice(0, shownDigits)}`);
  return message([
    context(
      `Audit log checkpoint: ${checkpoint} · ${plural(seq, 'entry', 'entries')}\nIf entries are removed later, the audit log will no longer match this checkpoint.`,
    ),
  ]);
}

/** To the approvals channel, once for each outage. */
export function checkpointsMissingMessage(since: Date): Message {
  return notice(
    [
      `:warning: *Belay can't write checkpoints of the audit log.* Last checkpoint: ${moment(since)}`,
      "Requests still run, but Belay can't detect entries removed from the end of the audit log.",
      `Your Belay administrator can find the cause: search Belay's log for ${code('audit.checkpoints')}.`,
    ].join('\n'),
  );
}

/** To the same channels, when it works again. */
export function checkpointsResumedMessage(since: Date): Message {
  return notice(
    `:white_check_mark: *Belay can write checkpoints of the audit log again.* New checkpoints cover every entry, including those since ${moment(since)}.`,
  );
}
