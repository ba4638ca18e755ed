import { type Button, button, menu } from '../../../slack/ui/blocks.ts';
import { encodeValue, maxIdLength } from '../../../slack/ui/codec.ts';
import { limits } from '../../../slack/ui/limits.ts';
import { isVisible, showExactly } from '../../../slack/ui/visible.ts';
import type { PolicyName } from '../read-compliance.ts';
import { menuActionId, showActionId } from './ids.ts';

/** Selects one of several policies. Undefined if the id is too long for a button. */
export function selectButton(policy: PolicyName, actionId: string): Button | undefined {
  return policyButton(policy, { text: 'Select', label: 'Select policy', actionId });
}

/** Opens one policy's compliance, from a message about it. Undefined if the id is too long. */
export function complianceButton(policy: PolicyName): Button | undefined {
  const text = 'View compliance';
  return policyButton(policy, { text, label: text, actionId: showActionId });
}

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
