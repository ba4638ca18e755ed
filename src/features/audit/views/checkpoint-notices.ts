import { type Message, notice } from '../../../slack/ui/blocks.ts';
import { code, moment } from '../../../slack/ui/mrkdwn.ts';

/** To the approvals channel, once for each outage. */
export function checkpointsMissingMessage(since: Date): Message {
  return notice(
    [
      `:warning: Belay can't write checkpoints of the audit log. The last checkpoints are from ${moment(since)}.`,
      "Requests still run, but removing entries from the end of the log can't be detected now.",
      `Your Belay administrator can find the cause in Belay's log: search for ${code('audit.checkpoints')}.`,
    ].join('\n'),
  );
}

/** To the same channels, when it works again. */
export function checkpointsResumedMessage(since: Date): Message {
  return notice(
    `Belay writes checkpoints of the audit log again. The new checkpoints cover every entry, including those made since ${moment(since)}.`,
  );
}
