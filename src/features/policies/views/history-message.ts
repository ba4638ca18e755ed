import { actionsIfAny, context, type Message, message, section } from '../../../slack/ui/blocks.ts';
import { code, cutMrkdwn, moment, safeName } from '../../../slack/ui/mrkdwn.ts';
import { viewPolicyButton } from '../../alerts/index.ts';
import { type AuditRecord, formatEvent } from '../../audit/index.ts';
import type { PolicyChange } from '../difference/policy-change.ts';
import { formatDifference } from './format-difference.ts';

/** A change to a policy that was made outside Belay, and when it was found. */
export type ExternalEntry = {
  name: string;
  kind: 'changed' | 'created' | 'deleted';
  /** None for a deletion. */
  changes: PolicyChange[];
  at: Date;
};

/** Who changed a policy, what and when, newest first; `hasMore`: older entries are not shown. */
export function historyMessage(
  policy: { id: string; name: string },
  { entries, hasMore }: { entries: (AuditRecord | ExternalEntry)[]; hasMore: boolean },
): Message {
  const name = safeName(policy.name, 150);
  const none = `No changes to ${name} through Belay, and none found outside Belay.`;
  const lines = entries.map((one) => ('kind' in one ? formatExternal(one) : formatEvent(one)));
  const more = `Older entries: ${code(`/belay audit user:${policy.id}`, 350)} (for people who may read the audit log; only changes through Belay)`;
  return message([
    section(entries.length > 0 ? `*History of ${name}* · newest first` : none),
    ...lines.map((line) => section(line)),
    ...actionsIfAny([viewPolicyButton(policy)]),
    context([`Policy ID ${code(policy.id, 350)}`, ...(hasMore ? [more] : [])].join('\n')),
  ]);
}

/** As many lines of a difference as an entry of the audit log shows. */
const maxLines = 6;

/** "Nov 22 at 10:00 PM · Belay found that the policy was *changed* outside Belay", and the difference. */
function formatExternal({ kind, changes, at }: ExternalEntry): string {
  const difference = kind === 'deleted' ? [] : formatDifference(changes);
  const shown = difference.slice(0, maxLines);
  const more = difference.length - shown.length;
  return cutMrkdwn(
    [
      `${moment(at)} · Belay found that the policy was *${kind}* outside Belay`,
      ...shown,
      ...(more > 0 ? [`${more} more`] : []),
    ].join('\n'),
    2900,
  );
}
