import { actions, context, type Message, message, section } from '../../../slack/ui/blocks.ts';
import { code, safeName } from '../../../slack/ui/mrkdwn.ts';
import { viewPolicyButton } from '../../alerts/index.ts';
import { type AuditRecord, formatEvent } from '../../audit/index.ts';

/** Who changed a policy, what and when, newest first; `hasMore`: older entries are not shown. */
export function historyMessage(
  policy: { id: string; name: string },
  { records, hasMore }: { records: AuditRecord[]; hasMore: boolean },
): Message {
  const name = safeName(policy.name, 150);
  const title = `History of ${name}`;
  const none = `No changes to ${name} through Belay.`;
  const lines = records.map(formatEvent);
  const view = viewPolicyButton(policy);
  const more = `Older entries: ${code(`/belay audit user:${policy.id}`, 350)} (approvers and admins)`;
  const blocks = [
    section(records.length > 0 ? `*${title}* · newest first` : none),
    ...lines.map((line) => section(line)),
    ...(view ? [actions([view])] : []),
    context([`Policy ID ${code(policy.id, 350)}`, ...(hasMore ? [more] : [])].join('\n')),
  ];
  return message(records.length > 0 ? [title, ...lines].join('\n') : none, blocks);
}
