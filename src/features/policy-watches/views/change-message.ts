import { actions, context, type Message, message, section } from '../../../slack/ui/blocks.ts';
import { bold, code, safe } from '../../../slack/ui/mrkdwn.ts';
import { viewPolicyButton } from '../../alerts/index.ts';
import { differenceSections, fitsDifference, formatDifference } from '../../policies/index.ts';
import type { ExternalChange } from '../find-changes.ts';

/** A change made outside Belay: what it does to the protection, weaker first. */
export function externalChangeMessage(change: ExternalChange): Message {
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

const deletion = '🔻 *This change weakens protection.* The service no longer lists this policy.';
