import {
  type Button,
  button,
  context,
  type Message,
  menu,
  message,
  notice,
  section,
} from '../../../slack/ui/blocks.ts';
import { encodeValue, maxIdLength } from '../../../slack/ui/codec.ts';
import { limits } from '../../../slack/ui/limits.ts';
import { bold, code, safe } from '../../../slack/ui/mrkdwn.ts';
import { isVisible, showExactly } from '../../../slack/ui/visible.ts';
import type { PolicyName } from '../read-compliance.ts';
import { menuActionId, showActionId } from './ids.ts';

/** Opens one policy's compliance, from a message about it. */
export function complianceButton(policy: PolicyName): Button | undefined {
  const text = 'View compliance';
  return policyButton(policy, { text, label: text, actionId: showActionId });
}

/** Undefined if the id is too long. */
function policyButton(
  { id, name }: PolicyName,
  { text, label, actionId }: { text: string; label: string; actionId: string },
): Button | undefined {
  if (id.length > maxIdLength) return undefined;
  const value = encodeValue({ policyId: id });
  return button({ text, actionId, value, accessibilityLabel: `${label}: ${name}` });
}

/**
 * Opens the chosen policy: its compliance, unless `actionId` names another listener. Undefined if no
 * id is short enough for an option.
 */
export function policyMenu(
  policies: readonly PolicyName[],
  actionId: string = menuActionId,
): ReturnType<typeof menu> | undefined {
  const options = policies.flatMap(({ id, name }) => {
    if (id.length > maxIdLength) return [];
    const value = encodeValue({ policyId: id });
    const text = isVisible(name) ? showExactly(name) : '(no name)';
    return value.length > limits.optionValue ? [] : [{ value, text }];
  });
  if (options.length === 0) return undefined;
  return menu({ placeholder: 'View policy', actionId, options });
}

const maxShown = 10;

/** What choosing a policy leads to: the listener of *Select*, and the commands that do the same. */
export type PolicyChoice = { actionId: string; command: string; listCommand: string };

const choiceOfCompliance: PolicyChoice = {
  actionId: showActionId,
  command: 'compliance',
  listCommand: 'compliance',
};

export function severalPoliciesMessage(
  nameOrId: string,
  policies: readonly PolicyName[],
  choice = choiceOfCompliance,
): Message {
  const title = `${policies.length} policies match “${safe(nameOrId, 100)}”. Choose one.`;
  return choiceMessage(title, policies, choice);
}

export function unknownPolicyMessage(
  nameOrId: string,
  nearest: readonly PolicyName[],
  choice = choiceOfCompliance,
): Message {
  const title = `No policy has the name or ID “${safe(nameOrId, 100)}”.`;
  return nearest.length > 0
    ? choiceMessage(`${title} Did you mean one of these?`, nearest, choice)
    : notice(`${title} To see all policies, run \`/belay ${choice.listCommand}\`.`);
}

/** Beside policies that Belay knows, where the service lists none. */
export const knownPoliciesNote =
  "This service doesn't list its policies. This list contains policies named in alerts, created through Belay or added by people. To add one, run `/belay policies add [policy ID] [name]`.";

export const policiesNotListed: Message = notice(
  "This service doesn't list its policies, and Belay doesn't know any yet. View one with its ID: `/belay compliance [policy ID]`. To add one, run `/belay policies add [policy ID] [name]`.",
);

export function unlistedPolicyUnknownMessage(policyId: string): Message {
  return notice(
    `No compliance data for a policy with the ID ${code(policyId, 100)}. This service doesn't list its policies, and Belay doesn't know this policy. Check the ID.`,
  );
}

function choiceMessage(
  title: string,
  policies: readonly PolicyName[],
  { actionId, command }: PolicyChoice,
): Message {
  const shown = policies.slice(0, maxShown);
  const rest = policies.length - shown.length;
  const note =
    rest > 0
      ? `${rest} more match. Enter more of the name, or the ID.`
      : `Or run \`/belay ${command}\` with the ID.`;
  return message([
    section(title),
    ...shown.map((policy) =>
      section(
        `${bold(policy.name, 150)}\nID ${code(policy.id)}`,
        policyButton(policy, { text: 'Select', label: 'Select policy', actionId }),
      ),
    ),
    context(note),
  ]);
}
