import {
  context,
  type KnownBlock,
  type Message,
  message,
  notice,
  section,
} from '../../../slack/ui/blocks.ts';
import { bold, code, safe } from '../../../slack/ui/mrkdwn.ts';
import type { PolicyName } from '../read-compliance.ts';
import { showButton } from './show-button.ts';

const maxShown = 10;

export function severalPoliciesMessage(nameOrId: string, policies: PolicyName[]): Message {
  const title = `${policies.length} policies match ${code(nameOrId, 100)}. Which one do you mean?`;
  return choice(title, policies);
}

export function unknownPolicyMessage(nameOrId: string, nearest: PolicyName[]): Message {
  const title = `No policy has the name or id ${code(nameOrId, 100)}.`;
  return nearest.length > 0
    ? choice(`${title} Did you mean one of these?`, nearest)
    : notice(`${title} \`/belay compliance\` shows all policies.`);
}

export const policiesNotListed: Message = notice(
  'The service does not list its policies, so Belay cannot look through them. Ask for one by its id: `/belay compliance [policy id]`.',
);

export function unlistedPolicyUnknownMessage(policyId: string): Message {
  return notice(
    `The service lists no policies, and it has no statistics for a policy with the id ${code(policyId, 100)}. Names cannot be looked up here: please check the id.`,
  );
}

function choice(title: string, policies: PolicyName[]): Message {
  const shown = policies.slice(0, maxShown);
  const rest = policies.length - shown.length;
  const note = rest > 0 ? `And ${rest} more: type more of the name, or the id.` : 'Or type the id.';
  const blocks: KnownBlock[] = [
    section(title),
    ...shown.map((policy) =>
      section(`${bold(policy.name, 150)}\nid ${code(policy.id)}`, showButton(policy)),
    ),
    context(note),
  ];
  const names = shown.map(({ id, name }) => `${safe(name, 100)} (id ${safe(id, 100)})`);
  const text = [title, ...names, note].join('\n');
  return message(text, blocks);
}
