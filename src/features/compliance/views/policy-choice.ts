import { type Button, button, menu } from '../../../slack/ui/blocks.ts';
import { encodeValue, maxIdLength } from '../../../slack/ui/codec.ts';
import { limits } from '../../../slack/ui/limits.ts';
import { isVisible, showExactly } from '../../../slack/ui/visible.ts';
import type { PolicyName } from '../read-compliance.ts';
import { menuActionId, showActionId } from './ids.ts';

/** Opens one policy's compliance. Undefined if the id is too long for a button. */
export function selectButton({ id, name }: PolicyName): Button | undefined {
  if (id.length > maxIdLength) return undefined;
  return button({
    text: 'Select',
    actionId: showActionId,
    value: encodeValue({ policyId: id }),
    accessibilityLabel: `Select policy: ${name}`,
  });
}

/** Opens one policy's compliance, from a message about it. Undefined if the id is too long. */
export function complianceButton({ id, name }: PolicyName): Button | undefined {
  if (id.length > maxIdLength) return undefined;
  return button({
    text: 'View compliance',
    actionId: showActionId,
    value: encodeValue({ policyId: id }),
    accessibilityLabel: `View compliance: ${name}`,
  });
}

/** Opens the compliance of the chosen policy. Undefined if no id is short enough for an option. */
export function policyMenu(policies: PolicyName[]): ReturnType<typeof menu> | undefined {
  const options = policies.flatMap(({ id, name }) => {
    if (id.length > maxIdLength) return [];
    const value = encodeValue({ policyId: id });
    const text = isVisible(name) ? showExactly(name) : '(no name)';
    return value.length > limits.optionValue ? [] : [{ value, text }];
  });
  if (options.length === 0) return undefined;
  return menu({ placeholder: 'View policy', actionId: menuActionId, options });
}
