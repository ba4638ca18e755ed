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
import { selectButton } from './policy-choice.ts';

const maxShown = 10;

export function severalPoliciesMessage(nameOrId: string, policies: PolicyName[]): Message {
  return choice(
    `${policies.length} policies match “${safe(nameOrId, 100)}”. Choose one.`,
    policies,
  );
}

export function unknownPolicyMessage(nameOrId: string, nearest: PolicyName[]): Message {
  const title = `No policy has the name or ID “${safe(nameOrId, 100)}”.`;
  return nearest.length > 0
    ? choice(`${title} Did you mean one of these?`, nearest)
    : notice(`${title} \`/belay compliance\` shows all policies.`);
}

export const policiesNotListed: Message = notice(
  "This service doesn't list its policies. View one with its ID: `/belay compliance [policy ID]`",
);

export function unlistedPolicyUnknownMessage(policyId: string): Message {
  return notice(
    `No compliance data for a policy with the ID ${code(policyId, 100)}. This service doesn't list its policies, so Belay can't look up names. Check the ID.`,
  );
}

function choice(title: string, policies: PolicyName[]): Message {
  const shown = policies.slice(0, maxShown);
  const rest = policies.length - shown.length;
  const note =
    rest > 0
      ? `${rest} more match. Type more of the name, or the ID.`
      : 'Or run `/belay compliance` with the ID.';
  const blocks: KnownBlock[] = [
    section(title),
    ...shown.map((policy) =>
      section(`${bold(policy.name, 150)}\nID ${code(policy.id)}`, selectButton(policy)),
    ),
    context(note),
  ];
  const names = shown.map(({ id, name }) => `${safe(name, 100)} (ID ${safe(id, 100)})`);
  const text = [title, ...names, note].join('\n');
  return message(text, blocks);
}
