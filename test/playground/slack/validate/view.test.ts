import { expect, test } from 'vitest';
import { validateView } from '../../../../playground/slack/validate/view.ts';
import { button, input, modal, option, plain } from '../sample-blocks.ts';

const text = (more: object = {}) => ({
  type: 'plain_text_input' as const,
  action_id: 'x',
  ...more,
});
const { submit: _, ...withoutSubmit } = modal([input('a', text())]);
const dividers = (count: number) =>
  Array.from({ length: count }, () => ({ type: 'divider' as const }));

test('accepts a form with every kind of input', () => {
  const options = [option('a')];
  const view = modal([
    input('a', text({ multiline: true, min_length: 1, max_length: 10 })),
    input('b', { type: 'static_select', options }),
    input('c', { type: 'multi_static_select', options, max_selected_items: 1 }),
    input('d', { type: 'users_select' }),
    input('e', { type: 'multi_users_select' }),
    input('f', { type: 'conversations_select' }),
    input('g', { type: 'channels_select' }),
    input('h', { type: 'radio_buttons', options }),
    input('i', { type: 'checkboxes', options }),
    input('j', { type: 'datepicker' }),
    input('k', { type: 'timepicker' }),
    input('l', { type: 'email_text_input' }),
    input('m', { type: 'number_input', is_decimal_allowed: false }),
  ]);
  expect(validateView(view)).toEqual([]);
});

test.each<[string, unknown, string]>([
  ['what is no view', 'view', '/view'],
  ['a long title', modal([], { title: plain('x'.repeat(25)) }), '/view/title/text'],
  ['a long submit', modal([], { submit: plain('x'.repeat(25)) }), '/view/submit/text'],
  ['a long close', modal([], { close: plain('x'.repeat(25)) }), '/view/close/text'],
  ['much metadata', modal([], { private_metadata: 'x'.repeat(3001) }), '/view/private_metadata'],
  ['a long callback id', modal([], { callback_id: 'x'.repeat(256) }), '/view/callback_id'],
  ['101 blocks', modal(dividers(101)), '/view/blocks'],
  ['an input without submit', withoutSubmit, '/view/submit'],
  ['markdown in a modal', modal([{ type: 'markdown', text: 'x' }]), '/view/blocks/0/type'],
  [
    'a chart in a modal',
    { ...modal([]), blocks: [{ type: 'data_visualization' }] },
    '/view/blocks/0/type',
  ],
  ['a block id twice', modal([input('a', text()), input('a', text())]), '/view/blocks/1/block_id'],
  [
    'two inputs with the focus',
    modal([input('a', text({ focus_on_load: true })), input('b', text({ focus_on_load: true }))]),
    '/view/blocks/1/element',
  ],
  [
    'a long question',
    modal([
      {
        type: 'section',
        text: plain('x'),
        accessory: button('x', {
          confirm: {
            title: plain('x'.repeat(101)),
            text: plain('x'),
            confirm: plain('x'),
            deny: plain('x'),
          },
        }),
      },
    ]),
    '/view/blocks/0/accessory/confirm/title/text',
  ],
])('refuses %s', (_name, view, pointer) => {
  expect(validateView(view).map((one) => one.pointer)).toContain(pointer);
});
