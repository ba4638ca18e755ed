import { type Message, notice } from '../../../slack/ui/blocks.ts';
import { code, moment } from '../../../slack/ui/mrkdwn.ts';

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
