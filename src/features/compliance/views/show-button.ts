import { z } from 'zod';
import { type Button, button } from '../../../slack/ui/blocks.ts';
import { encodeValue, maxIdLength } from '../../../slack/ui/codec.ts';
import type { PolicyName } from '../read-compliance.ts';

export const showActionId = 'compliance.show';

export const showValue = z.object({ policyId: z.string().min(1).max(maxIdLength) });

/** Opens one policy's statistics. Undefined if the id is too long for a button. */
export function showButton({ id, name }: PolicyName): Button | undefined {
  if (id.length > maxIdLength) return undefined;
  return button({
    text: 'Show',
    actionId: showActionId,
    value: encodeValue({ policyId: id }),
    accessibilityLabel: `Show the compliance of ${name}`,
  });
}
