import { z } from 'zod';
import type { Button } from '../../../slack/ui/blocks.ts';
import { button } from '../../../slack/ui/blocks.ts';
import { encodeValue, maxIdLength } from '../../../slack/ui/codec.ts';
import type { PolicyName } from '../read-all-compliance.ts';
import { showActionId } from './ids.ts';

export const showValue = z.object({ policyId: z.string().min(1).max(maxIdLength) });

/** Opens one policy's statistics; undefined for an id that no button can carry. */
export function showButton({ id, name }: PolicyName): Button | undefined {
  if (id.length > maxIdLength) return undefined;
  return button({
    text: 'Show',
    actionId: showActionId,
    value: encodeValue({ policyId: id }),
    accessibilityLabel: `Show the compliance of ${name}`,
  });
}
