import type { KnownBlock } from '@slack/types';
import { expect, test } from 'vitest';
import { initialValues, keepTyped, withValue } from '../../../playground/web/form-values.ts';

const label = { type: 'plain_text' as const, text: 'Label' };
const option = (value: string) => ({ text: { type: 'plain_text' as const, text: value }, value });

function textInput(blockId: string, actionId: string, initial?: string): KnownBlock {
  const element = { type: 'plain_text_input' as const, action_id: actionId };
  return {
    type: 'input',
    block_id: blockId,
    label,
    element: initial === undefined ? element : { ...element, initial_value: initial },
  };
}

test('inputs start with their initial values, and buttons have none', () => {
  const blocks: KnownBlock[] = [
    textInput('name', 'text', 'Ana'),
    {
      type: 'actions',
      block_id: 'filters',
      elements: [
        { type: 'button', action_id: 'go', text: label },
        {
          type: 'static_select',
          action_id: 'severity',
          options: [option('high'), option('low')],
          initial_option: option('low'),
        },
        { type: 'multi_users_select', action_id: 'approvers', initial_users: ['U0BEN'] },
      ],
    },
  ];
  expect(initialValues(blocks)).toEqual({
    name: { text: 'Ana' },
    filters: { severity: 'low', approvers: ['U0BEN'] },
  });
});

test('an update preserves values with the same ids, and resets the others', () => {
  const before = initialValues([textInput('name', 'text'), textInput('reason', 'v1')]);
  const typed = withValue(withValue(before, 'name', 'text', 'Ben'), 'reason', 'v1', 'left');
  const updated = [textInput('name', 'text', 'Ana'), textInput('reason', 'v2', 'new')];
  expect(keepTyped(typed, updated)).toEqual({ name: { text: 'Ben' }, reason: { v2: 'new' } });
});

test('a cleared input stays empty', () => {
  const block = textInput('name', 'text', 'Ana');
  const emptied = withValue(initialValues([block]), 'name', 'text', null);
  expect(keepTyped(emptied, [block])).toEqual({ name: { text: null } });
});
