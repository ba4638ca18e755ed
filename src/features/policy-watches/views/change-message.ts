import { actionsIfAny, context, type Message, message, section } from '../../../slack/ui/blocks.ts';
import { bold, code } from '../../../slack/ui/mrkdwn.ts';
import { viewPolicyButton } from '../../alerts/index.ts';
import { differenceSections, fitsDifference, formatDifference } from '../../policies/index.ts';
import type { ExternalChange } from '../find-changes.ts';
import { changesCommand, formatChange, formatWeakening } from './format-change.ts';

const manage = 'Manage watches with `/belay watch`';

/** A change made outside Belay: what it does to the protection, weaker first. */
export function externalChangeMessage(change: ExternalChange): Message {
  const { policyId, name, kind, changes } = change;
  const lines = kind === 'deleted' ? [deletion] : formatDifference(changes);
  return message([
    section(`:eyes: *Policy ${kind} outside Belay* · ${bold(name)}`),
    ...differenceSections(lines).map((text) => section(text)),
    ...(fitsDifference(lines) ? [] : [section('⚠ This message is too short for all changes.')]),
    ...actionsIfAny([kind !== 'deleted' && viewPolicyButton({ id: policyId, name })]),
    context(`Policy ID ${code(policyId)} · ${manage}`),
  ]);
}

const deletion = '🔻 *This change weakens protection.* The service no longer lists this policy.';

const maxListed = 10;

/** Many changes found at once, in the order given: one line for each of the first, and a count. */
export function externalChangesMessage(changes: ExternalChange[]): Message {
  const title = `${changes.length} policy changes outside Belay${formatWeakening(changes)}`;
  const more = changes.length - maxListed;
  const lines = [
    ...changes.slice(0, maxListed).map((change) => `• ${formatChange(change)}`),
    ...(more > 0 ? [`• ${more} more · ${changesCommand}`] : []),
  ];
  return message([
    section(`:eyes: *${title}*`),
    ...differenceSections(lines).map((text) => section(text)),
    context(manage),
  ]);
}
