import { actions, context, type Message, message, section } from '../../../slack/ui/blocks.ts';
import { bold, code, safe } from '../../../slack/ui/mrkdwn.ts';
import { viewPolicyButton } from '../../alerts/index.ts';
import { differenceSections, fitsDifference, formatDifference } from '../../policies/index.ts';
import type { ElsewhereChange } from '../find-changes.ts';

/** A change of a policy that Belay did not make: what it does to the protection, weaker first. */
export function elsewhereChangeMessage(change: ElsewhereChange): Message {
  const { policyId, name, kind, changes } = change;
  const title = `Policy ${kind} outside Belay`;
  const lines = kind === 'deleted' ? [deletion] : formatDifference(changes);
  const view = kind === 'deleted' ? undefined : viewPolicyButton({ id: policyId, name });
  const footer = `Policy ID ${code(policyId)} · Stop with \`/belay watch policies off\``;
  return message([`${title}: ${safe(name)}`, ...lines].join('\n'), [
    section(`:eyes: *${title}* · ${bold(name)}`),
    ...differenceSections(lines).map((text) => section(text)),
    ...(fitsDifference(lines) ? [] : [section('⚠ This message is too short for all changes.')]),
    ...(view ? [actions([view])] : []),
    context(footer),
  ]);
}

const deletion = '🔻 *This change weakens protection.* The policy is no longer in the list.';
