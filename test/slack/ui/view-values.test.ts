import { expect, it } from 'vitest';
import { parseViewValues } from '../../../src/slack/ui/view-values.ts';

it('reads each kind of input by its block id', () => {
  const values = parseViewValues({
    reason: { input: { type: 'plain_text_input', value: '  left the company \n' } },
    region: {
      input: { type: 'static_select', selected_option: { value: 'eu', text: { text: 'Europe' } } },
    },
    approvers: { input: { type: 'multi_users_select', selected_users: ['U1', 'U2'] } },
    channel: { input: { type: 'conversations_select', selected_conversation: 'C1' } },
  });
  expect(values('reason')).toEqual({ value: '  left the company \n' });
  expect(values('region')).toEqual({
    selected_option: { value: 'eu', text: { text: 'Europe' } },
  });
  expect(values('approvers')).toEqual({ selected_users: ['U1', 'U2'] });
  expect(values('channel')).toEqual({ selected_conversation: 'C1' });
});

it.each([
  ['absent', {}],
  ['absent, in the empty list that Slack sends for no fields', []],
  ['of another form', { a: { other: { value: 'x' } } }],
])('reads an input that is %s as undefined', (_, state) => {
  expect(parseViewValues(state)('a')).toBeUndefined();
});

it('throws on an invalid state', () => {
  expect(() => parseViewValues({ a: { input: { value: 7 } } })).toThrow();
  expect(() => parseViewValues('state')).toThrow();
});
